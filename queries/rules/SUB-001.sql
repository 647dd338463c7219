-- id: SUB-001
-- title: A subscription that was never acknowledged
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: subscriptions/listen
-- overrides: confidence
-- why: The client does not know whether it will be told of changes, and goes on with what it has.
-- fix: Send `notifications/subscriptions/acknowledged` first on the stream.
-- source: 2026-07-28 basic/patterns/subscriptions:54-56
-- frameworks: MCP conformance

SELECT o.capture_id, o.session_id, o.seq, coalesce(o.method, 'subscriptions/listen') AS subject,
    'The server never acknowledged the subscription.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'detail', o.detail) AS evidence,
    CASE WHEN s.lost_bytes > 0 THEN 'low' END AS confidence
FROM orphans o
JOIN sessions s USING (session_id)
WHERE o.kind = 'subscription_unacknowledged'
