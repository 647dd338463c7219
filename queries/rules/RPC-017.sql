-- id: RPC-017
-- title: A task ended by notifications/cancelled
-- severity: violation
-- confidence: high
-- party: either
-- revisions: 2025-11-25, ext-tasks
-- needs: notifications/cancelled
-- why: The request that made the task is long answered, so the cancellation reaches nothing and the task runs on.
-- fix: Cancel a task with `tasks/cancel`.
-- source: 2025-11-25 cancellation:36; ext-tasks tasks:385
-- frameworks: MCP conformance

SELECT m.capture_id, t.session_id, m.seq, t.task_id AS subject,
    'The task was cancelled by a notification that names the request which made it.' AS message,
    json_object('rpc_id', rid(m.ref, m.ref_type), 'task', t.task_id, 'task_status', t.status) AS evidence
FROM tasks t
JOIN exchanges x ON x.capture_id = t.capture_id AND x.seq = t.call_seq
JOIN messages m ON m.capture_id = x.capture_id AND m.method = 'notifications/cancelled' AND m.direction = x.direction
    AND m.ref = x.rpc_id AND m.ref_type = x.rpc_id_type AND m.seq > x.answer_seq AND (t.end_seq IS NULL OR m.seq < t.end_seq)
