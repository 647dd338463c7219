-- id: ELI-014
-- title: An accepted URL with content
-- severity: warning
-- confidence: high
-- party: client
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitations: mode = 'url' AND action = 'accept'
-- why: `accept` of a url prompt is consent to open a page. What the user gives there is not to pass through the
--   client.
-- fix: Leave `content` out.
-- source: 2025-11-25 client/elicitation:552
-- frameworks: MCP conformance

SELECT capture_id, session_id, answered_seq AS seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'A url prompt was accepted with content.' AS message,
    json_object('rpc_id', wire_id, 'prompt_seq', seq, 'fields', json_keys(answer, '$.content')) AS evidence
FROM prompts e
WHERE kind = 'elicitation' AND mode = 'url' AND action = 'accept' AND json_exists(answer, '$.content')
    AND json_type(answer, '$.content') <> 'NULL' AND (answer -> '$.content')::VARCHAR NOT IN ('{}', '[]', '""')
