-- id: TSX-008
-- title: A task that its server forgot
-- severity: violation
-- confidence: medium
-- party: server
-- revisions: ext-tasks
-- needs: tasks/get
-- why: The client was given a task to ask for, and is told that there is none: work and answers are lost.
-- fix: Keep a task for its time to live.
-- source: ext-tasks tasks:300
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, min(x.answer_seq) AS seq, t.task_id AS subject,
    'The server does not know the task that it made ' || spell(min(epoch_us(x.ts) - epoch_us(t.created_at))) || ' before.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'task', t.task_id, 'ttl_ms', t.ttl_ms) AS evidence
FROM tasks t
JOIN exchanges x ON x.session_id = t.session_id AND x.task_id = t.task_id AND x.method = 'tasks/get' AND x.error_code = -32602
WHERE t.call_seq < x.seq AND (t.ttl_ms IS NULL OR epoch_us(x.ts) - epoch_us(t.created_at) < t.ttl_ms * 1000)
GROUP BY x.capture_id, x.session_id, t.task_id, t.ttl_ms
