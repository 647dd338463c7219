-- id: ELI-008
-- title: A field format that forms do not have
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitation_fields: format NOT IN ('email', 'uri', 'date', 'date-time')
-- why: Clients check and draw `email`, `uri`, `date` and `date-time`. With another format a person is let type
--   anything, a `password` in clear for one.
-- fix: Leave the format out and check the value in the server.
-- source: 2025-06-18 client/elicitation:237; 2025-11-25 client/elicitation:134; 2026-07-28 client/elicitation:138
-- frameworks: MCP conformance

SELECT f.capture_id, f.session_id, f.seq, f.name AS subject,
    'The field ' || f.name || ' has the format ' || cut(f.format, 60) || '.' AS message,
    json_object('rpc_id', e.wire_id, 'field', f.name, 'format', cut(f.format, 80), 'tool', e.parent_tool) AS evidence
FROM elicitation_fields f
JOIN prompts e USING (capture_id, seq, item)
WHERE e.kind = 'elicitation' AND e.mode = 'form' AND f.format NOT IN ('email', 'uri', 'date', 'date-time')
