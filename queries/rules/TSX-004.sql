-- id: TSX-004
-- title: A key asked again after it was answered
-- severity: violation
-- confidence: medium
-- party: server
-- revisions: ext-tasks
-- needs: tasks/update
-- why: The user is asked again what they answered, or the client answers a new question with the old answer.
-- fix: Use each key once in the life of a task.
-- source: ext-tasks tasks:350
-- frameworks: MCP conformance

WITH answered AS (
    SELECT x.capture_id, x.session_id, x.task_id, unnest(m.input_keys) AS key, x.answer_seq
    FROM exchanges x
    JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
    WHERE x.method = 'tasks/update' AND x.answer_kind = 'result'
)
SELECT x.capture_id, x.session_id, min(x.answer_seq) AS seq, cut(a.key, 100) AS subject,
    'The task asks for ' || cut(a.key, 60) || ' again, which was answered.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'task', a.task_id, 'answered_seq', min(a.answer_seq)) AS evidence
FROM answered a
JOIN exchanges x ON x.session_id = a.session_id AND x.task_id = a.task_id AND x.method = 'tasks/get' AND x.seq > a.answer_seq
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq AND list_contains(m.input_keys, a.key)
GROUP BY x.capture_id, x.session_id, a.task_id, a.key
