-- id: elicitations
-- title: Prompts
-- table: elicitations
-- why: one row a prompt, in one model for every revision: what was asked, in which call, and what became of it

WITH first AS (
    SELECT session_id, seq, item,
        arg_min({'place': place, 'ts': place_ts, 'outcome': outcome, 'detail': detail}, place * 8 + rank) AS closing
    FROM m_closings
    WHERE place >= seq
    GROUP BY ALL
), last AS (SELECT capture_id, max(ts) AS ts FROM messages GROUP BY ALL
), completed AS (
    SELECT session_id, elicitation_id, min(seq) AS seq FROM m_lines
    WHERE method = 'notifications/elicitation/complete' AND elicitation_id IS NOT NULL
    GROUP BY ALL
), retried AS (SELECT DISTINCT session_id, prev_seq FROM m_legs WHERE prev_seq IS NOT NULL
), refused AS (
    SELECT g.session_id, g.prev_seq, x.answer_seq, x.error_code, g.sure
    FROM m_legs g JOIN exchanges x ON x.session_id = g.session_id AND x.seq = g.seq
    JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
    WHERE x.answer_kind = 'error' AND m.raw LIKE '%tate%' AND regexp_matches(m.raw, '(?i)request_?state|invalid_request_state|state[^"]{0,40}expired')
), told AS (
    SELECT a.*, p.* EXCLUDE (session_id, seq, item),
        r.reply_seq, r.reply_ts, r.action, r.content, r.outcome AS reply_outcome, f.closing,
        c.seq AS completed_seq, t.session_id IS NOT NULL AS retried,
        n.answer_seq IS NOT NULL AND n.sure AND r.reply_seq IS NOT NULL AS state_refused, n.error_code AS refusal_code,
        n.answer_seq IS NOT NULL AND NOT n.sure AS state_altered,
        date_diff('microsecond', a.ts, last.ts) > getvariable('timeout_us') AS stale
    FROM m_asked a
    JOIN m_parents p USING (session_id, seq, item)
    JOIN last ON last.capture_id = a.capture_id
    LEFT JOIN m_replies r USING (session_id, seq, item)
    LEFT JOIN first f USING (session_id, seq, item)
    LEFT JOIN completed c ON c.session_id = a.session_id AND c.elicitation_id = a.elicitation_id
    LEFT JOIN retried t ON t.session_id = a.session_id AND t.prev_seq = p.parent_seq
    LEFT JOIN refused n ON n.session_id = a.session_id AND n.prev_seq = p.parent_seq AND a.carriage = 'input_required'
)
SELECT
    capture_id, session_id, seq, item, rpc_id, rpc_id_type, key, carriage, kind, mode, message, url, elicitation_id,
    TRY_CAST(schema AS JSON) AS schema, fingerprint, declared, channel, stream, task_id, ts AS asked_at,
    reply_ts AS answered_at, reply_seq AS answered_seq, action, TRY_CAST(content AS JSON) AS content,
    CASE WHEN carriage = 'url_required' THEN completed_seq ELSE closing.place END AS closed_seq,
    CASE WHEN carriage <> 'url_required' THEN closing.ts END AS closed_at,
    CASE WHEN reply_ts >= ts THEN date_diff('microsecond', ts, reply_ts) END AS latency_us,
    CASE
        WHEN carriage = 'url_required' THEN CASE WHEN completed_seq IS NOT NULL THEN 'completed' WHEN retried THEN 'retried' ELSE 'dangling' END
        WHEN state_refused AND closing.place = reply_seq THEN 'expired'
        WHEN closing IS NOT NULL THEN closing.outcome
        WHEN stale THEN 'timeout_inferred'
        ELSE 'pending'
    END AS outcome,
    CASE
        WHEN carriage = 'url_required' THEN CASE WHEN completed_seq IS NOT NULL THEN 'the server said that it was completed'
            WHEN retried THEN 'the call was sent again' ELSE 'neither completed nor sent again' END
        WHEN state_refused AND closing.place = reply_seq THEN 'the server refused the state of the retry with error ' || refusal_code
        WHEN state_altered AND closing.place = reply_seq THEN closing.detail || ', and the retry carried another state, which the server refused'
        WHEN closing IS NOT NULL THEN closing.detail
        WHEN stale THEN 'open for longer than the threshold while other traffic went on'
        ELSE 'still open'
    END AS detail,
    CASE WHEN reply_seq > closing.place THEN coalesce(action, reply_outcome) END AS late_action,
    CASE
        WHEN carriage = 'url_required' THEN CASE WHEN completed_seq IS NOT NULL THEN 'completed' WHEN retried THEN 'retried' ELSE 'dangling' END
        WHEN mode = 'url' AND action = 'accept' AND carriage = 'request'
            THEN CASE WHEN completed_seq IS NOT NULL THEN 'completed' ELSE 'dangling' END
    END AS url_status,
    parent_seq, parent_rpc_id, parent_rpc_id_type, parent_method, parent_tool, root_seq, root_rpc_id, root_rpc_id_type,
    tier, confidence, evidence, candidates
FROM told
