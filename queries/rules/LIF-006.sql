-- id: LIF-006
-- title: A method of a capability that the peer did not declare
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- overrides: severity
-- why: What was not declared need not be there; the request fails, or a person is never asked.
-- fix: Declare the capability, or look at the peer's before you use it.
-- source: 2025-06-18 basic/lifecycle:178
-- frameworks: MCP conformance

WITH needs(method, direction, side, capability) AS (VALUES
    ('tools/list', 'c2s', 'server', '$.tools'), ('tools/call', 'c2s', 'server', '$.tools'),
    ('resources/list', 'c2s', 'server', '$.resources'), ('resources/read', 'c2s', 'server', '$.resources'),
    ('resources/templates/list', 'c2s', 'server', '$.resources'), ('resources/subscribe', 'c2s', 'server', '$.resources.subscribe'),
    ('prompts/list', 'c2s', 'server', '$.prompts'), ('prompts/get', 'c2s', 'server', '$.prompts'),
    ('completion/complete', 'c2s', 'server', '$.completions'), ('logging/setLevel', 'c2s', 'server', '$.logging'),
    ('notifications/message', 's2c', 'server', '$.logging'), ('notifications/resources/updated', 's2c', 'server', '$.resources.subscribe'),
    ('notifications/tools/list_changed', 's2c', 'server', '$.tools.listChanged'), ('notifications/prompts/list_changed', 's2c', 'server', '$.prompts.listChanged'),
    ('notifications/resources/list_changed', 's2c', 'server', '$.resources.listChanged'),
    ('sampling/createMessage', 's2c', 'client', '$.sampling'), ('roots/list', 's2c', 'client', '$.roots'),
    ('notifications/roots/list_changed', 'c2s', 'client', '$.roots.listChanged')
), used AS (
    SELECT t.capture_id, t.session_id, t.method, t.direction, t.revision, n.side, n.capability,
        min(t.seq) AS seq, count(*) AS times, arg_min(t.rpc_id, t.seq) AS rpc_id, arg_min(t.rpc_id_type, t.seq) AS rpc_id_type
    FROM lines t
    JOIN needs n ON n.method = t.method AND n.direction = t.direction
    WHERE t.kind IN ('request', 'notification') AND NOT (t.revision = '2024-11-05' AND t.method = 'completion/complete')
        AND NOT (t.revision >= '2026-07-28' AND (n.side = 'client' OR starts_with(t.method, 'notifications/')))
    GROUP BY ALL
)
SELECT u.capture_id, u.session_id, u.seq, u.method AS subject,
    'The ' || if(u.direction = 'c2s', 'client', 'server') || ' sent ' || u.method || ' (' || u.times || '×), and the ' || u.side
        || ' has not declared ' || u.capability[3:] || '.' AS message,
    json_object('rpc_id', rid(u.rpc_id, u.rpc_id_type), 'capability', u.capability[3:], 'count', u.times) AS evidence,
    CASE WHEN u.revision < '2025-06-18' THEN 'warning' END AS severity
FROM used u
JOIN sessions s USING (session_id)
WHERE s.handshake AND CASE u.side WHEN 'server' THEN json_type(s.server_capabilities) ELSE json_type(s.client_capabilities) END = 'OBJECT'
    AND coalesce(json_extract_string(CASE u.side WHEN 'server' THEN s.server_capabilities ELSE s.client_capabilities END, u.capability), 'false') = 'false'
