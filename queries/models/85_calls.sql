-- id: calls
-- title: Calls
-- table: calls
-- why: one row a call as its user sees it, however many requests it took, with its time split between person and server

WITH chains AS (
    SELECT x.session_id, g.root_seq,
        list({'seq': x.seq, 'rpc_id': x.rpc_id, 'rpc_id_type': x.rpc_id_type} ORDER BY g.place, x.seq) AS legs,
        arg_max(x.seq, g.place * 9000000000000 + x.seq) AS last_seq
    FROM exchanges x
    JOIN m_legs g ON g.session_id = x.session_id AND g.seq = x.seq
    WHERE x.direction = 'c2s' AND x.method IN ('tools/call', 'prompts/get', 'resources/read')
    GROUP BY ALL
), calling AS (
    SELECT c.session_id, c.root_seq, c.legs, c.last_seq, f.capture_id, f.rpc_id, f.rpc_id_type, f.method, f.tool, f.ts,
        l.end_cause, l.end_ts, l.end_seq, l.error_code, l.answer_kind, l.result_type, l.is_error
    FROM chains c
    JOIN exchanges f ON f.session_id = c.session_id AND f.seq = c.root_seq
    JOIN exchanges l ON l.session_id = c.session_id AND l.seq = c.last_seq
    UNION ALL -- almost every call has one leg
    SELECT x.session_id, x.seq, [{'seq': x.seq, 'rpc_id': x.rpc_id, 'rpc_id_type': x.rpc_id_type}], x.seq, x.capture_id,
        x.rpc_id, x.rpc_id_type, x.method, x.tool, x.ts,
        x.end_cause, x.end_ts, x.end_seq, x.error_code, x.answer_kind, x.result_type, x.is_error
    FROM exchanges x
    ANTI JOIN m_legs g ON g.session_id = x.session_id AND g.seq = x.seq
    WHERE x.direction = 'c2s' AND x.method IN ('tools/call', 'prompts/get', 'resources/read')
), ended AS (
    SELECT l.session_id, l.root_seq, l.legs, l.last_seq, l.capture_id, l.rpc_id, l.rpc_id_type, l.method, l.tool,
        l.ts AS started_at, t.task_id,
        CASE WHEN t.task_id IS NOT NULL AND l.end_cause = 'answer' THEN t.ended_at
            WHEN l.end_cause IN ('answer', 'cancelled', 'stream_closed') THEN l.end_ts END AS ended_at,
        CASE WHEN t.task_id IS NOT NULL AND l.end_cause = 'answer' THEN t.end_seq
            WHEN l.end_cause IN ('answer', 'cancelled', 'stream_closed') THEN l.end_seq END AS end_seq,
        coalesce(r.error_code, l.error_code) AS error_code,
        CASE
            WHEN l.end_cause IN ('cancelled', 'stream_closed') THEN 'cancelled'
            WHEN l.end_cause <> 'answer' THEN 'unanswered'
            WHEN t.task_id IS NOT NULL THEN CASE
                WHEN NOT t.terminal THEN 'task'
                WHEN t.status = 'cancelled' THEN 'cancelled'
                WHEN r.kind = 'error' THEN 'error'
                WHEN r.is_error OR t.status = 'failed' THEN 'tool_error'
                ELSE 'ok' END
            WHEN l.answer_kind = 'error' THEN 'error'
            WHEN l.result_type = 'input_required' THEN 'input_required'
            WHEN l.is_error THEN 'tool_error'
            ELSE 'ok'
        END AS outcome
    FROM calling l
    LEFT JOIN tasks t ON t.session_id = l.session_id AND t.call_seq = l.last_seq
    LEFT JOIN m_lines r ON r.session_id = l.session_id AND r.seq = t.result_seq
), waits AS (
    SELECT e.session_id, e.root_seq, e.seq,
        greatest(e.asked_at, c.started_at) AS since,
        least(coalesce(e.closed_at, e.answered_at, c.ended_at), c.ended_at) AS until
    FROM elicitations e
    JOIN ended c ON c.session_id = e.session_id AND c.root_seq = e.root_seq
    WHERE e.tier IN ('explicit', 'deduced', 'inferred')
), reached AS (
    SELECT *, max(until) OVER (PARTITION BY session_id, root_seq ORDER BY since, until ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM waits
    WHERE until > since
), human AS (
    SELECT session_id, root_seq,
        sum(greatest(date_diff('microsecond', greatest(since, coalesce(before, since)), until), 0))::BIGINT AS human_us
    FROM reached
    GROUP BY ALL
), asked AS (
    SELECT session_id, root_seq, list(DISTINCT seq ORDER BY seq) AS prompts FROM waits GROUP BY ALL
)
SELECT
    e.capture_id, e.session_id, e.root_seq AS seq, e.rpc_id, e.rpc_id_type, e.method, e.tool, e.legs, e.outcome,
    CASE WHEN e.outcome = 'error' THEN e.error_code END AS error_code,
    e.started_at, e.ended_at, e.end_seq,
    greatest(date_diff('microsecond', e.started_at, e.ended_at), 0) AS duration_us,
    CASE WHEN e.ended_at IS NOT NULL THEN coalesce(h.human_us, 0) END AS human_us,
    greatest(date_diff('microsecond', e.started_at, e.ended_at) - coalesce(h.human_us, 0), 0) AS server_us,
    coalesce(a.prompts, []) AS prompts,
    e.task_id
FROM ended e
LEFT JOIN human h ON h.session_id = e.session_id AND h.root_seq = e.root_seq
LEFT JOIN asked a ON a.session_id = e.session_id AND a.root_seq = e.root_seq
