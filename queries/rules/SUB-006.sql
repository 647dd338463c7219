-- id: SUB-006
-- title: News of a resource that was not subscribed
-- severity: warning
-- confidence: high
-- party: server
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- needs: notifications/resources/updated
-- overrides: confidence
-- why: The client did not ask, and may fetch what its user never opened.
-- fix: Send `notifications/resources/updated` for subscribed URIs only.
-- source: derived
-- frameworks: MCP conformance

WITH sent AS (
    SELECT *, json_extract_string(js(raw), '$.params.uri') AS uri FROM traffic
    WHERE method = 'notifications/resources/updated' AND direction = 's2c'
), wanted AS (
    SELECT x.session_id, x.seq, json_extract_string(js(m.raw), '$.params.uri') AS uri
    FROM exchanges x JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
    WHERE x.method = 'resources/subscribe'
)
SELECT t.capture_id, t.session_id, min(t.seq) AS seq, cut(t.uri, 100) AS subject,
    count(*) || ' notification(s) tell of a resource that was not subscribed.' AS message,
    json_object('uri', cut(t.uri, 200), 'count', count(*)) AS evidence,
    unseen(max(t.lost_bytes), bool_and(t.handshake)) AS confidence
FROM sent t
WHERE t.uri IS NOT NULL AND NOT EXISTS (FROM wanted w WHERE w.session_id = t.session_id AND starts_with(t.uri, w.uri) AND w.seq < t.seq)
GROUP BY t.capture_id, t.session_id, t.uri
