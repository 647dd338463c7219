-- id: ELI-006
-- title: A form that is not a flat object of simple fields
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- why: Clients draw forms from string, number, integer and boolean fields and enums. Anything else is dropped,
--   shown wrong, or refused.
-- fix: Flatten the schema: one primitive type a property, no `$ref`, `anyOf` or nested objects; arrays only as
--   multiple choice, since 2025-11-25.
-- source: 2025-06-18 client/elicitation:199; 2025-11-25 client/elicitation:114; 2026-07-28 client/elicitation:119
-- frameworks: MCP conformance
-- check: schema_flat

SELECT capture_id, session_id, seq, wire_id, revision, parent_tool, schema
FROM prompts
WHERE kind = 'elicitation' AND mode = 'form' AND schema IS NOT NULL
