-- id: exchanges
-- title: Exchanges
-- table: exchanges
-- why: one row a request, with its answer, its cancellation, and where it stopped being open

WITH paired AS (
    SELECT
        r.*, s.protocol AS negotiated, p.contested, p.answers, p.reused_seq,
        CASE WHEN NOT p.contested THEN p.answer_seq END AS answer_seq,
        c.cancelled_seq, c.cancelled_ts, c.cancel_reason,
        e.end_seq AS session_end, e.end_ts AS session_end_ts,
        CASE WHEN k.truncated_seq > r.seq AND coalesce(r.protocol, s.protocol) >= '2026' THEN k.truncated_seq END AS closed_seq
    FROM m_lines r
    JOIN m_pairs p ON p.session_id = r.session_id AND p.seq = r.seq
    JOIN sessions s ON s.session_id = r.session_id
    JOIN m_ends e ON e.session_id = r.session_id
    LEFT JOIN m_cancels c ON c.session_id = r.session_id AND c.seq = r.seq
    LEFT JOIN m_channels k ON k.capture_id = r.capture_id AND k.channel = r.channel AND r.channel > 0
    WHERE r.kind = 'request'
), ended AS (
    SELECT
        p.* EXCLUDE (error_code, is_error, result_type),
        a.ts AS answer_ts, a.kind AS answer_kind, a.error_code, a.is_error, a.result_type,
        a.task_id AS answer_task, f.ts AS closed_ts,
        least(p.answer_seq, p.cancelled_seq, p.closed_seq) AS first_end
    FROM paired p
    LEFT JOIN m_lines a ON a.session_id = p.session_id AND a.seq = p.answer_seq
    LEFT JOIN http_facts f ON f.capture_id = p.capture_id AND f.seq = p.closed_seq
)
SELECT
    capture_id, session_id, seq, ts, direction, channel, method, rpc_id, rpc_id_type, tool,
    coalesce(protocol, negotiated) AS protocol, token, token_type, coalesce(task_id, answer_task) AS task_id,
    answer_seq, answer_ts, answer_kind, error_code, is_error, result_type,
    CASE WHEN contested THEN 0 ELSE answers END AS answer_count,
    date_diff('microsecond', ts, answer_ts) AS latency_us,
    cancelled_seq, cancelled_ts, cancel_reason,
    CASE WHEN first_end IS NOT NULL THEN first_end
        WHEN reused_seq IS NOT NULL AND NOT contested THEN reused_seq
        ELSE session_end END AS end_seq,
    CASE WHEN first_end = cancelled_seq THEN cancelled_ts
        WHEN first_end = closed_seq THEN closed_ts
        WHEN first_end IS NOT NULL THEN answer_ts
        ELSE session_end_ts END AS end_ts,
    CASE WHEN first_end = cancelled_seq THEN 'cancelled'
        WHEN first_end = closed_seq THEN 'stream_closed'
        WHEN first_end IS NOT NULL THEN 'answer'
        WHEN contested OR reused_seq IS NOT NULL THEN 'id_reused'
        WHEN session_end IS NOT NULL THEN 'session_end'
        ELSE 'open' END AS end_cause
FROM ended
