-- id: LIF-005
-- title: A method that the negotiated revision does not have
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- overrides: severity
-- why: The peer need not know it. A prompt sent under a revision without prompts reaches nobody.
-- fix: Offer a newer revision in `initialize`, or do without the method.
-- source: 2025-06-18 basic/lifecycle:177; 2026-07-28 changelog:14-20
-- frameworks: MCP conformance

WITH known(method, since, until) AS (VALUES
    ('elicitation/create', '2025-06-18', '2025-11-25'),
    ('notifications/elicitation/complete', '2025-11-25', '2026-07-28'),
    ('tasks/result', '2025-11-25', '2025-11-25'), ('tasks/list', '2025-11-25', '2025-11-25'),
    ('tasks/get', '2025-11-25', '9999'), ('tasks/cancel', '2025-11-25', '9999'), ('tasks/update', '2026-07-28', '9999'),
    ('subscriptions/listen', '2026-07-28', '9999'),
    ('ping', '2024-11-05', '2025-11-25'), ('logging/setLevel', '2024-11-05', '2025-11-25'),
    ('resources/subscribe', '2024-11-05', '2025-11-25'), ('resources/unsubscribe', '2024-11-05', '2025-11-25'),
    ('notifications/initialized', '2024-11-05', '2025-11-25'), ('notifications/roots/list_changed', '2024-11-05', '2025-11-25')
)
SELECT t.capture_id, t.session_id, min(t.seq) AS seq, t.method AS subject,
    count(*) || ' message(s) ' || t.method || ' were sent, which revision ' || t.revision || ' does not have.' AS message,
    json_object('rpc_id', rid(arg_min(t.rpc_id, t.seq), arg_min(t.rpc_id_type, t.seq)), 'revision', t.revision, 'direction', t.direction, 'count', count(*)) AS evidence,
    CASE WHEN t.revision < '2025-06-18' THEN 'warning' END AS severity
FROM lines t
JOIN known k USING (method)
WHERE t.kind IN ('request', 'notification') AND regexp_full_match(t.revision, '\d{4}-\d\d-\d\d') AND NOT t.revision BETWEEN k.since AND k.until
    AND NOT (t.method = 'elicitation/create' AND t.revision >= '2026-07-28')
GROUP BY t.capture_id, t.session_id, t.method, t.revision, t.direction
