-- id: ELI-009
-- title: A form that uses what only some clients understand
-- severity: info
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- why: `pattern`, defaults other than booleans in 2025-06-18, and the legacy `enumNames` are read by some clients
--   and ignored by others.
-- fix: Check the value in the server; use titled choices (`oneOf` with `const` and `title`) since 2025-11-25.
-- source: 2025-11-25 client/elicitation:128; 2025-11-25 schema.ts:2446
-- frameworks: MCP conformance
-- check: schema_portable

SELECT capture_id, session_id, seq, wire_id, revision, parent_tool, schema
FROM prompts
WHERE kind = 'elicitation' AND mode = 'form' AND schema IS NOT NULL
