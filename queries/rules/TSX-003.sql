-- id: TSX-003
-- title: A task that waits for input and does not say which
-- severity: violation
-- confidence: high
-- party: server
-- revisions: ext-tasks
-- needs: tasks/get
-- why: The client cannot ask anybody; the task waits until its time to live is over.
-- fix: Send `inputRequests` with the status `input_required`.
-- source: ext-tasks tasks:329
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, min(x.answer_seq) AS seq, x.task_id AS subject,
    'The task is input_required and shows no inputRequests.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'task', x.task_id, 'polls', count(*)) AS evidence
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
WHERE x.method = 'tasks/get' AND x.direction = 'c2s' AND json_extract_string(late(m.raw, x.seq), '$.result.status') = 'input_required' AND coalesce(len(m.input_keys), 0) = 0
GROUP BY x.capture_id, x.session_id, x.task_id
