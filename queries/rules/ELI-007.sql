-- id: ELI-007
-- title: Choices in a form that this revision does not know
-- severity: warning
-- confidence: high
-- party: server
-- revisions: 2025-06-18
-- needs: #prompts
-- why: Multiple choice and titled choices came with 2025-11-25; an older client shows a text field, or nothing.
-- fix: Use `enum` with `enumNames` for clients of 2025-06-18.
-- source: 2025-06-18 client/elicitation:262
-- frameworks: MCP conformance
-- check: schema_choices

SELECT capture_id, session_id, seq, wire_id, revision, parent_tool, schema
FROM prompts
WHERE kind = 'elicitation' AND mode = 'form' AND schema IS NOT NULL
