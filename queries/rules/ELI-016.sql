-- id: ELI-016
-- title: An answer with values that a form cannot hold
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- why: Content is flat: text, numbers and yes or no (since 2025-11-25 also lists of text). What is nested escapes
--   the checks of the server.
-- fix: Send only the values that the form's fields can hold.
-- source: 2025-11-25 schema.ts:2485
-- frameworks: MCP conformance, CWE-20
-- check: content_flat

SELECT capture_id, session_id, answered_seq AS seq, wire_id, revision, parent_tool, seq AS prompt_seq, answer -> '$.content' AS content
FROM prompts
WHERE kind = 'elicitation' AND action = 'accept' AND content_level = 'full' AND json_exists(answer, '$.content')
