-- id: TSK-002
-- title: A task's result that does not name its task
-- severity: violation
-- confidence: high
-- party: either
-- revisions: 2025-11-25
-- needs: tasks/result
-- why: Without `related-task` the result cannot be told from that of another task, nor traced to the call.
-- fix: Put `io.modelcontextprotocol/related-task` into the `_meta` of the answer to `tasks/result`.
-- source: 2025-11-25 basic/utilities/tasks:448,470
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.answer_seq AS seq, coalesce(x.task_id, '') AS subject,
    'The answer to tasks/result does not say which task it belongs to.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'task', x.task_id) AS evidence
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
WHERE x.method = 'tasks/result' AND x.answer_kind = 'result' AND late(m.raw, x.seq) IS NOT NULL
    AND coalesce(json_type(late(m.raw, x.seq), '/result/_meta/io.modelcontextprotocol~1related-task/taskId'), '') <> 'VARCHAR'
