-- id: ELI-011
-- title: An accepted form whose content does not fit the schema
-- severity: warning
-- confidence: high
-- party: client
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- why: The server acts on values that it said it would not take. Both sides are to check.
-- fix: Check the content against `requestedSchema` in the client before it is sent, and in the server when it
--   comes.
-- source: 2025-06-18 client/elicitation:302,323; 2025-11-25 client/elicitation:551,748
-- frameworks: MCP conformance, CWE-20
-- check: content_fits

SELECT capture_id, session_id, answered_seq AS seq, wire_id, revision, parent_tool, schema, seq AS prompt_seq, answer -> '$.content' AS content
FROM prompts
WHERE kind = 'elicitation' AND mode = 'form' AND action = 'accept' AND schema IS NOT NULL AND content_level = 'full'
    AND json_type(answer, '$.content') = 'OBJECT'
