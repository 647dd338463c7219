-- id: open
-- title: The calls that stood open when a prompt was asked
-- table: m_open
-- why: a prompt that says nothing of its call can only belong to one that was open; when there is one, it is that one

WITH able AS (
    SELECT x.session_id, x.seq,
        CASE WHEN x.end_cause = 'answer' AND t.task_id IS NOT NULL THEN coalesce(t.end_seq, s.end_seq) ELSE x.end_seq END AS end_seq
    FROM exchanges x
    JOIN m_ends s ON s.session_id = x.session_id
    LEFT JOIN tasks t ON t.session_id = x.session_id AND t.call_seq = x.seq
    WHERE x.direction = 'c2s' AND x.method IN ('tools/call', 'prompts/get', 'resources/read')
), steps AS (
    SELECT session_id, seq AS place, 1 AS opens, seq AS call, false AS prompt FROM able
    UNION ALL
    SELECT session_id, end_seq, -1, -seq, false FROM able WHERE end_seq IS NOT NULL
    UNION ALL
    SELECT DISTINCT session_id, seq, 0, 0, true FROM m_asked WHERE carriage = 'request'
), swept AS (
    SELECT session_id, place, prompt, sum(opens) OVER sweep AS open_calls, sum(call) OVER sweep AS only_call
    FROM steps
    WINDOW sweep AS (PARTITION BY session_id ORDER BY place, opens ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
), cancels AS (
    SELECT x.session_id, x.cancelled_seq, x.cancelled_ts
    FROM exchanges x
    WHERE x.end_cause = 'cancelled' AND x.direction = 'c2s' AND x.method IN ('tools/call', 'prompts/get', 'resources/read')
)
SELECT
    w.session_id, w.place AS seq, w.open_calls::BIGINT AS open_calls,
    CASE WHEN w.open_calls = 1 THEN w.only_call::BIGINT END AS only_seq,
    coalesce(c.cancelled_ts > w.ts - to_microseconds(getvariable('grace_us')), false) AS just_cancelled
FROM (SELECT s.*, a.ts FROM swept s JOIN m_lines a ON a.session_id = s.session_id AND a.seq = s.place WHERE s.prompt) w
ASOF LEFT JOIN (
    SELECT session_id, cancelled_seq, cancelled_ts FROM cancels
    UNION ALL
    -- a prompt that was open then is answered: its call, though cancelled, may go on
    SELECT a.session_id, a.answer_seq, a.answer_ts
    FROM (SELECT x.session_id, x.seq, x.answer_seq, x.answer_ts FROM exchanges x
        WHERE x.direction = 's2c' AND x.answer_seq IS NOT NULL AND EXISTS (SELECT 1 FROM cancels)) a
    ASOF JOIN cancels c ON c.session_id = a.session_id AND a.answer_seq > c.cancelled_seq
    WHERE c.cancelled_seq > a.seq
) c ON c.session_id = w.session_id AND w.place > c.cancelled_seq
