-- id: TSX-007
-- title: A header that names another task than the body
-- severity: violation
-- confidence: high
-- party: client
-- revisions: ext-tasks
-- needs: #http
-- why: Gateways route and allow by the header; the server acts on the body.
-- fix: Put the taskId of the params into `Mcp-Name`.
-- source: ext-tasks tasks:511
-- frameworks: MCP conformance

SELECT t.capture_id, t.session_id, t.seq, t.method AS subject,
    'The header Mcp-Name of ' || t.method || ' is not the taskId of its params.' AS message,
    json_object('rpc_id', rid(t.rpc_id, t.rpc_id_type), 'header', cut(h.mcp_name, 100), 'task', t.task_id) AS evidence
FROM lines t
JOIN http_facts h ON h.capture_id = t.capture_id AND h.seq = t.seq
WHERE t.kind = 'request' AND t.direction = 'c2s' AND t.method IN ('tasks/get', 'tasks/update', 'tasks/cancel')
    AND t.task_id IS NOT NULL AND h.mcp_name IS NOT NULL AND h.mcp_name <> t.task_id AND NOT starts_with(h.mcp_name, '=?')
