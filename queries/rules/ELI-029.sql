-- id: ELI-029
-- title: An undeclared mode refused with the wrong code
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2025-11-25
-- needs: #prompts
-- when: prompts: declared = false AND answer_code IS NOT NULL
-- why: By `-32602` a server knows that it may ask in the other mode; another code looks like a client without any
--   prompts.
-- fix: Refuse a mode that was not declared with `-32602`.
-- source: 2025-11-25 client/elicitation:700
-- frameworks: MCP conformance

SELECT capture_id, session_id, answered_seq AS seq, mode AS subject,
    'The client refused a prompt in mode ' || mode || ' with ' || answer_code || ' instead of -32602.' AS message,
    json_object('rpc_id', wire_id, 'prompt_seq', seq, 'code', answer_code) AS evidence
FROM prompts
WHERE kind = 'elicitation' AND declared = false AND answer_code IS NOT NULL AND answer_code <> -32602
    AND json_exists(client_capabilities, '$.elicitation') AND mode IN ('form', 'url')
