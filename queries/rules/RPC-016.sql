-- id: RPC-016
-- title: A server that cancels what is not a subscription
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: notifications/cancelled
-- why: In 2026-07-28 a server has one thing to cancel: `subscriptions/listen`. For anything else it answers.
-- fix: Answer the request with an error.
-- source: 2026-07-28 cancellation:13,71
-- frameworks: MCP conformance

SELECT t.capture_id, t.session_id, t.seq, coalesce(x.method, t.ref, '') AS subject,
    'The server cancelled ' || coalesce(x.method, 'a request that it was never sent') || '.' AS message,
    json_object('rpc_id', rid(t.ref, t.ref_type), 'reason', cut(t.reason, 200)) AS evidence
FROM lines t
ASOF LEFT JOIN exchanges x ON x.capture_id = t.capture_id AND x.direction = 'c2s' AND x.rpc_id = t.ref AND x.rpc_id_type = t.ref_type AND x.seq < t.seq
WHERE t.method = 'notifications/cancelled' AND t.direction = 's2c' AND t.revision = '2026-07-28'
    AND coalesce(x.method, '') <> 'subscriptions/listen'
