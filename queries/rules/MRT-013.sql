-- id: MRT-013
-- title: An answer of another kind than the question
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #prompts
-- why: A server that does not look takes a list of folders, or a text of the model, for the user's consent.
-- fix: Answer an elicitation with `action`, sampling with `role` and `content`, roots with `roots`.
-- source: 2026-07-28 basic/patterns/mrtr:102
-- frameworks: MCP conformance

SELECT capture_id, session_id, answered_seq AS seq, coalesce(key, '') AS subject,
    'The answer to ' || cut(key, 60) || ' is none to ' || kind || '.' AS message,
    json_object('rpc_id', wire_id, 'prompt_seq', seq, 'kind', kind, 'has', json_keys(answer)[1:8]) AS evidence
FROM prompts
WHERE carriage IN ('input_required', 'task') AND json_type(answer) = 'OBJECT' AND CASE kind
    WHEN 'elicitation' THEN NOT json_exists(answer, '$.action') AND (json_exists(answer, '$.roots') OR json_exists(answer, '$.role') OR json_exists(answer, '$.model'))
    WHEN 'sampling' THEN NOT json_exists(answer, '$.role') AND (json_exists(answer, '$.roots') OR json_exists(answer, '$.action'))
    ELSE NOT json_exists(answer, '$.roots') AND (json_exists(answer, '$.action') OR json_exists(answer, '$.role')) END
