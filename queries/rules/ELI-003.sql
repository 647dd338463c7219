-- id: ELI-003
-- title: An elicitation capability that names no known mode
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2025-11-25, 2026-07-28
-- when: sessions: json_exists(client_capabilities, '$.elicitation') AND NOT json_exists(client_capabilities, '$.elicitation.form')
-- why: A server cannot tell whether it may ask, and either way it is wrong.
-- fix: Declare `elicitation: {"form": {}}`, `{"url": {}}`, both, or `{}` for forms only.
-- source: 2025-11-25 client/elicitation:75
-- frameworks: MCP conformance

SELECT capture_id, session_id, first_seq AS seq, 'elicitation' AS subject,
    'The client declared elicitation with neither form nor url.' AS message,
    json_object('capability', cut((client_capabilities -> '$.elicitation')::VARCHAR, 200)) AS evidence
FROM sessions
WHERE json_type(client_capabilities, '$.elicitation') = 'OBJECT'
    AND len(json_keys(client_capabilities, '$.elicitation')) > 0
    AND NOT json_exists(client_capabilities, '$.elicitation.form') AND NOT json_exists(client_capabilities, '$.elicitation.url')
