-- id: SUB-005
-- title: A resource subscribed and never left
-- severity: info
-- confidence: high
-- party: client
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- needs: resources/subscribe
-- why: The server goes on watching what nobody reads.
-- fix: Send `resources/unsubscribe`.
-- source: derived
-- frameworks: MCP conformance

SELECT o.capture_id, o.session_id, o.seq, coalesce(o.method, 'resources/subscribe') AS subject,
    'A resource was subscribed and never unsubscribed.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'detail', o.detail) AS evidence
FROM orphans o
WHERE o.kind = 'subscription_left'
