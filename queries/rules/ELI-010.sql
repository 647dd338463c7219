-- id: ELI-010
-- title: A form that contradicts itself
-- severity: warning
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- why: A required field that does not exist can never be filled, and a default that its own field refuses makes
--   every quick accept invalid.
-- fix: List only existing properties under `required`; give defaults that their field allows.
-- source: derived
-- frameworks: MCP conformance
-- check: schema_consistent

SELECT capture_id, session_id, seq, wire_id, revision, parent_tool, schema
FROM prompts
WHERE kind = 'elicitation' AND mode = 'form' AND schema IS NOT NULL
