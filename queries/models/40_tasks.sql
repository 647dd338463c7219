-- id: tasks
-- title: Tasks
-- table: tasks
-- why: a task carries a call on after its answer; a prompt that names a task belongs to the call that made it

WITH named AS (
    SELECT session_id, task_id, any_value(capture_id) AS capture_id, min(ts) AS created_at, max(seq) AS last_seq
    FROM m_lines
    WHERE task_id IS NOT NULL
    GROUP BY ALL
), made AS (
    SELECT x.session_id, a.task_id, min(x.seq) AS call_seq
    FROM exchanges x
    JOIN m_lines a ON a.session_id = x.session_id AND a.seq = x.answer_seq
    WHERE a.task_id IS NOT NULL AND x.method NOT LIKE 'tasks/%'
    GROUP BY ALL
), states AS (
    SELECT session_id, task_id,
        arg_max(status, seq) FILTER (status IS NOT NULL) AS status,
        min(seq) FILTER (status IN ('completed', 'failed', 'cancelled')) AS done_seq,
        min(ts) FILTER (status IN ('completed', 'failed', 'cancelled')) AS done_at,
        arg_max(ttl_ms, seq) FILTER (ttl_ms IS NOT NULL) AS ttl_ms,
        min(seq) FILTER (has_result) AS carried_seq
    FROM m_task_states
    GROUP BY ALL
), fetched AS (
    SELECT q.session_id, q.task_id, min(x.answer_seq) AS seq, min(x.answer_ts) AS ts
    FROM exchanges x
    JOIN m_lines q ON q.session_id = x.session_id AND q.seq = x.seq
    WHERE x.method = 'tasks/result' AND x.answer_seq IS NOT NULL
    GROUP BY ALL
)
SELECT
    n.capture_id, n.session_id, n.task_id, m.call_seq,
    s.status, s.done_seq IS NOT NULL OR f.seq IS NOT NULL AS terminal,
    n.created_at,
    CASE WHEN s.done_seq <= f.seq OR f.seq IS NULL THEN s.done_at ELSE f.ts END AS ended_at,
    CASE WHEN s.done_seq <= f.seq OR f.seq IS NULL THEN s.done_seq ELSE f.seq END AS end_seq,
    s.ttl_ms, n.last_seq,
    coalesce(f.seq, s.carried_seq) AS result_seq
FROM named n
LEFT JOIN made m USING (session_id, task_id)
LEFT JOIN states s USING (session_id, task_id)
LEFT JOIN fetched f USING (session_id, task_id)
