-- id: TSK-001
-- title: A task whose status goes where it cannot
-- severity: violation
-- confidence: high
-- party: either
-- revisions: 2025-11-25
-- needs: #tasks
-- why: A task that was over and works again, or begins with its end, was not run as told; its result cannot be
--   relied on.
-- fix: Begin with `working`; let nothing follow `completed`, `failed` or `cancelled`.
-- source: 2025-11-25 basic/utilities/tasks:403-407,496
-- frameworks: MCP conformance

WITH shown AS (
    SELECT m.capture_id, m.seq, m.task_id, m.direction, m.kind, m.method, m.sse_id, coalesce(d.created, d.polled, d.told) AS status, d.created IS NOT NULL AS is_first
    FROM messages m, LATERAL (
        SELECT json_extract_string(js(m.raw), '$.result.task.status') AS created, json_extract_string(js(m.raw), '$.result.status') AS polled,
            json_extract_string(js(m.raw), '$.params.status') AS told
    ) d
    WHERE m.task_id IS NOT NULL AND (m.kind = 'result' OR m.method = 'notifications/tasks/status')
), steps AS (
    SELECT *, lag(status) OVER (PARTITION BY capture_id, task_id ORDER BY seq) AS before
    FROM shown
    WHERE status IN ('working', 'input_required', 'completed', 'failed', 'cancelled')
)
SELECT s.capture_id, t.session_id, s.seq, s.task_id AS subject,
    CASE WHEN s.is_first THEN 'A task began as ' || s.status || '.' ELSE 'A task that was ' || s.before || ' became ' || s.status || '.' END AS message,
    json_object('task', s.task_id, 'status', s.status, 'before', s.before) AS evidence
FROM steps s
JOIN tasks t ON t.capture_id = s.capture_id AND t.task_id = s.task_id
WHERE (s.is_first AND s.status <> 'working') OR (s.before IN ('completed', 'failed', 'cancelled') AND s.status <> s.before)
