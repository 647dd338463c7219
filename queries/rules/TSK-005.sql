-- id: TSK-005
-- title: A task that never ended
-- severity: warning
-- confidence: high
-- party: either
-- revisions: 2025-11-25, ext-tasks
-- needs: #tasks
-- overrides: confidence
-- when: orphans: kind = 'task_unfinished'
-- why: What it holds, and whom it asked, stays open; nobody learns how it ended.
-- fix: End every task, or cancel it with `tasks/cancel`; ask for its status until it is terminal.
-- source: derived
-- frameworks: ISO 27001 A.8.15

SELECT o.capture_id, o.session_id, o.seq, coalesce(any_value(t.task_id), o.method, '') AS subject,
    'A task was still ' || coalesce(any_value(t.status), 'open') || ' at the end of the record.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'task', any_value(t.task_id), 'detail', o.detail) AS evidence,
    CASE WHEN any_value(s.lost_bytes) > 0 THEN 'low' END AS confidence
FROM orphans o
JOIN sessions s USING (session_id)
LEFT JOIN tasks t ON t.session_id = o.session_id AND (t.last_seq = o.seq OR t.call_seq = o.seq)
WHERE o.kind = 'task_unfinished' AND s.end_reason <> 'open'
GROUP BY o.capture_id, o.session_id, o.seq, o.method, o.rpc_id, o.rpc_id_type, o.detail
