-- id: SUB-002
-- title: A notification that the client did not subscribe to
-- severity: violation
-- confidence: medium
-- party: server
-- revisions: 2026-07-28
-- needs: notifications/tools/list_changed, notifications/prompts/list_changed, notifications/resources/list_changed, notifications/resources/updated
-- why: Clients opt in, so that a server cannot wake them at will.
-- fix: Send only the kinds that `subscriptions/listen` names.
-- source: 2026-07-28 basic/patterns/subscriptions:15
-- frameworks: MCP conformance

WITH kinds(method, wanted) AS (VALUES
    ('notifications/tools/list_changed', '$.params.notifications.toolsListChanged'),
    ('notifications/prompts/list_changed', '$.params.notifications.promptsListChanged'),
    ('notifications/resources/list_changed', '$.params.notifications.resourcesListChanged'),
    ('notifications/resources/updated', '$.params.notifications.resourceSubscriptions')
), sent AS (
    SELECT t.*, k.wanted FROM lines t JOIN kinds k USING (method)
    WHERE t.direction = 's2c' AND t.kind = 'notification' AND t.revision = '2026-07-28'
)
SELECT t.capture_id, t.session_id, min(t.seq) AS seq, t.method AS subject,
    count(*) || ' notification(s) ' || t.method || ' came without a subscription to them.' AS message,
    json_object('count', count(*)) AS evidence
FROM sent t
WHERE NOT EXISTS (
    SELECT 1 FROM exchanges x JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
    WHERE x.capture_id = t.capture_id AND x.method = 'subscriptions/listen' AND x.seq < t.seq
        AND coalesce(json_extract_string(js(m.raw), t.wanted), 'false') NOT IN ('false', '[]')
)
GROUP BY t.capture_id, t.session_id, t.method
