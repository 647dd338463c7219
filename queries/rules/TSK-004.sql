-- id: TSK-004
-- title: A task asked of a server that has none
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2025-11-25
-- when: messages: method = 'tools/call' AND contains(raw, '"task"')
-- why: The server ignores the request for a task or refuses the call.
-- fix: Look for `tasks.requests.tools.call` among the server's capabilities.
-- source: 2025-11-25 basic/utilities/tasks:113-117
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.seq, coalesce(x.tool, x.method) AS subject,
    'The client asked for a task in ' || x.method || coalesce(' of ' || x.tool, '') || ', and the server had declared none.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type)) AS evidence
FROM exchanges x
JOIN sessions s USING (session_id)
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
WHERE x.direction = 'c2s' AND x.method = 'tools/call' AND s.handshake AND json_type(s.server_capabilities) = 'OBJECT'
    AND contains(m.raw, '"task"') AND json_type(late(m.raw, x.seq), '$.params.task') = 'OBJECT' AND NOT json_exists(s.server_capabilities, '$.tasks.requests.tools.call')
