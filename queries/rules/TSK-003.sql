-- id: TSK-003
-- title: A task's result given before the task was over
-- severity: violation
-- confidence: high
-- party: either
-- revisions: 2025-11-25
-- needs: tasks/result
-- why: The caller takes an intermediate state for the end.
-- fix: Hold the answer to `tasks/result` until the task is terminal.
-- source: 2025-11-25 basic/utilities/tasks:465
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.answer_seq AS seq, x.task_id AS subject,
    'tasks/result was answered, and the task was ' || any_value(json_extract_string(late(m.raw, x.seq), '$.result.status')) || ' afterwards.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'task', x.task_id, 'later_seq', min(m.seq)) AS evidence
FROM exchanges x
JOIN exchanges g ON g.session_id = x.session_id AND g.task_id = x.task_id AND g.method = 'tasks/get' AND g.seq > x.answer_seq
JOIN messages m ON m.capture_id = g.capture_id AND m.seq = g.answer_seq
WHERE x.method = 'tasks/result' AND x.answer_kind = 'result' AND json_extract_string(late(m.raw, x.seq), '$.result.status') IN ('working', 'input_required')
GROUP BY x.capture_id, x.session_id, x.answer_seq, x.task_id, x.rpc_id, x.rpc_id_type
