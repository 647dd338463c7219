-- id: ELI-012
-- title: An accepted form without content
-- severity: warning
-- confidence: high
-- party: client
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: prompts: action = 'accept' AND coalesce(json_type(answer, '$.content'), 'NULL') = 'NULL'
-- why: The user is on record as having accepted, and what they accepted is not there.
-- fix: Send `content` with every `accept` of a form, or `decline`.
-- source: 2025-11-25 client/elicitation:551
-- frameworks: MCP conformance, GDPR Art. 7

SELECT capture_id, session_id, answered_seq AS seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'A form was accepted without content.' AS message,
    json_object('rpc_id', wire_id, 'prompt_seq', seq, 'prompt', cut(e.message, 200)) AS evidence
FROM prompts e
WHERE kind = 'elicitation' AND mode = 'form' AND action = 'accept' AND content_level = 'full' AND json_type(answer) = 'OBJECT'
    AND coalesce(json_type(answer, '$.content'), 'NULL') = 'NULL'
