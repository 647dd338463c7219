-- id: TSX-001
-- title: A task for a client that did not declare the extension
-- severity: violation
-- confidence: high
-- party: server
-- revisions: ext-tasks
-- needs: #tasks
-- why: The client takes the task for a result, and nobody ever asks how it went.
-- fix: Answer with a task only where the request's capabilities name `io.modelcontextprotocol/tasks`.
-- source: ext-tasks tasks:61
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.answer_seq AS seq, coalesce(x.tool, x.method) AS subject,
    'The server answered ' || coalesce(x.tool, x.method) || ' with a task, and the client had not declared the extension.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type)) AS evidence
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
WHERE x.direction = 'c2s' AND x.result_type = 'task'
    AND json_type(late(m.raw, x.seq), '/params/_meta/io.modelcontextprotocol~1clientCapabilities') = 'OBJECT'
    AND NOT json_exists(late(m.raw, x.seq), '/params/_meta/io.modelcontextprotocol~1clientCapabilities/extensions/io.modelcontextprotocol~1tasks')
