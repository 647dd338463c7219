-- id: TSX-009
-- title: Tasks served to a client that did not declare them
-- severity: violation
-- confidence: medium
-- party: server
-- revisions: ext-tasks
-- needs: tasks/get, tasks/update, tasks/cancel
-- why: A server is to refuse with `-32021`, so that the client learns which capability it lacks.
-- fix: Answer `tasks/*` with `-32021` where the request's capabilities do not name the extension.
-- source: ext-tasks tasks:799
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, min(x.answer_seq) AS seq, x.method AS subject,
    count(*) || ' request(s) ' || x.method || ' of a client without the tasks extension were not refused with -32021.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'code', arg_min(x.error_code, x.seq)) AS evidence
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
WHERE x.direction = 'c2s' AND x.method IN ('tasks/get', 'tasks/update', 'tasks/cancel') AND x.answer_seq IS NOT NULL
    AND x.error_code IS DISTINCT FROM -32021 AND x.error_code IS DISTINCT FROM -32601
    AND json_type(late(m.raw, x.seq), '/params/_meta/io.modelcontextprotocol~1clientCapabilities') = 'OBJECT'
    AND NOT json_exists(late(m.raw, x.seq), '/params/_meta/io.modelcontextprotocol~1clientCapabilities/extensions/io.modelcontextprotocol~1tasks')
GROUP BY x.capture_id, x.session_id, x.method
