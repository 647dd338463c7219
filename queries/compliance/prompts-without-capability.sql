-- id: prompts-without-capability
-- title: Prompts to clients without the capability
-- question: Which prompts were sent to a client that had not declared that it can show them?
-- frameworks: EU AI Act Art. 14, MCP conformance

SELECT
    e.asked_at,
    s.server_name AS server,
    e.parent_tool AS tool,
    s.client_name AS client,
    s.client_version,
    s.protocol AS revision,
    e.kind,
    e.mode,
    e.message AS question,
    e.outcome,
    e.session_id AS session,
    e.seq
FROM elicitations e
LEFT JOIN sessions s ON s.session_id = e.session_id
WHERE e.declared = false
ORDER BY e.asked_at, e.session_id, e.seq, e.item
