-- id: ROO-002
-- title: roots/list refused with the wrong code
-- severity: warning
-- confidence: high
-- party: client
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- needs: #prompts
-- when: elicitations: kind = 'roots'
-- why: By `-32601` a server knows that there are no roots; any other code looks like a failure to be tried again.
-- fix: Answer with `-32601`.
-- source: 2025-11-25 roots:144
-- frameworks: MCP conformance

SELECT capture_id, session_id, answered_seq AS seq, 'roots/list' AS subject,
    'The client has no roots and answered roots/list with ' || answer_code || '.' AS message,
    json_object('rpc_id', wire_id, 'code', answer_code) AS evidence
FROM prompts
WHERE kind = 'roots' AND answer_code IS NOT NULL AND answer_code <> -32601 AND json_type(client_capabilities) = 'OBJECT'
    AND NOT json_exists(client_capabilities, '$.roots')
