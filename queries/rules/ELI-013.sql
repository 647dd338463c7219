-- id: ELI-013
-- title: A refused form with content
-- severity: warning
-- confidence: high
-- party: client
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: prompts: action IN ('decline', 'cancel') AND json_exists(answer, '$.content')
-- why: The user said no, and their input went to the server all the same.
-- fix: Leave `content` out with `decline` and `cancel`.
-- source: 2025-11-25 client/elicitation:556,560; 2025-11-25 schema.ts:2480
-- frameworks: MCP conformance, GDPR Art. 5(1)(c), GDPR Art. 7

SELECT capture_id, session_id, answered_seq AS seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'A prompt was answered with ' || action || ', and content was sent with it.' AS message,
    json_object('rpc_id', wire_id, 'prompt_seq', seq, 'action', action, 'fields', json_keys(answer, '$.content')) AS evidence
FROM prompts e
WHERE kind = 'elicitation' AND action IN ('decline', 'cancel') AND json_exists(answer, '$.content')
    AND json_type(answer, '$.content') <> 'NULL' AND (answer -> '$.content')::VARCHAR NOT IN ('{}', '[]', '""')
