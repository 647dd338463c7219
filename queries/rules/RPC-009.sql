-- id: RPC-009
-- title: A notification that carries an id
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- when: messages: list_contains(problems, 'notification_with_id')
-- why: With an id it is a request, and the sender's peer answers what nobody waits for, or does not know the
--   method.
-- fix: Send `notifications/*` without `id`.
-- source: 2025-11-25 basic/index:108
-- frameworks: MCP conformance

SELECT capture_id, session_id, seq, method AS subject,
    'The notification ' || method || ' carries the id ' || rid(rpc_id, rpc_id_type) || '.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'direction', direction) AS evidence
FROM traffic
WHERE list_contains(problems, 'notification_with_id')
