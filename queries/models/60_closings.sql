-- id: closings
-- title: Everything that may decide what became of a prompt
-- table: m_closings
-- why: the first of these in recorded order decides the outcome; what comes later is kept beside it

WITH asked AS (
    SELECT a.*, p.parent_seq, p.root_seq, p.tier IN ('explicit', 'deduced', 'inferred') AND a.carriage IN ('request', 'task') AS held
    FROM m_asked a
    JOIN m_parents p USING (session_id, seq, item)
), parent AS (
    SELECT a.session_id, a.seq, a.item, a.kind, x.rpc_id, x.cancelled_seq, x.cancelled_ts, x.cancel_reason, x.end_cause,
        CASE WHEN x.end_cause = 'stream_closed' THEN x.end_seq END AS closed_seq, x.end_ts AS closed_ts,
        CASE WHEN t.task_id IS NULL THEN x.answer_seq ELSE t.end_seq END AS done_seq,
        CASE WHEN t.task_id IS NULL THEN x.answer_ts ELSE t.ended_at END AS done_ts,
        t.status = 'cancelled' AS task_cancelled,
        coalesce(s.timed_out, false) AS timed_out
    FROM asked a
    JOIN exchanges x ON x.capture_id = a.capture_id AND x.seq = a.parent_seq
    LEFT JOIN tasks t ON t.session_id = a.session_id AND t.call_seq = a.parent_seq
    LEFT JOIN m_signs s ON s.session_id = a.session_id AND s.seq = a.parent_seq
    WHERE a.held
)
SELECT session_id, seq, item, reply_seq AS place, reply_ts AS place_ts, 1 AS rank, outcome, detail FROM m_replies
UNION ALL
SELECT a.session_id, a.seq, a.item, x.cancelled_seq, x.cancelled_ts, 2,
    CASE WHEN regexp_matches(x.cancel_reason, '(?i)tim(ed|e)[ -]?out|deadline|-32001\b|took too long') THEN 'timeout' ELSE 'cancelled_server' END,
    'the server cancelled it' || coalesce(': ' || x.cancel_reason, '')
FROM asked a JOIN exchanges x ON x.capture_id = a.capture_id AND x.seq = a.seq
WHERE a.carriage = 'request' AND x.cancelled_seq IS NOT NULL
UNION ALL
SELECT session_id, seq, item, cancelled_seq, cancelled_ts, 3,
    CASE WHEN regexp_matches(cancel_reason, '(?i)tim(ed|e)[ -]?out|deadline|-32001\b|took too long') THEN 'timeout' ELSE 'cancelled_parent' END,
    'the client cancelled call ' || rpc_id || coalesce(': ' || cancel_reason, '')
FROM parent WHERE cancelled_seq > seq
UNION ALL
SELECT session_id, seq, item, closed_seq, closed_ts, 3, 'cancelled_parent', 'the client closed the stream of call ' || rpc_id
FROM parent WHERE closed_seq > seq
UNION ALL
SELECT session_id, seq, item, done_seq, done_ts, 4,
    CASE WHEN timed_out THEN 'timeout' WHEN task_cancelled THEN 'cancelled_parent' ELSE 'abandoned_parent' END,
    'call ' || rpc_id || CASE WHEN timed_out THEN ' ended and says that it timed out' WHEN task_cancelled THEN ' was cancelled as a task'
        ELSE ' ended while it stood open' END
FROM parent WHERE done_seq > seq
UNION ALL
SELECT a.session_id, a.seq, a.item, g.seq, l.ts, 5, 'superseded', 'the call was sent again without an answer to it'
FROM asked a
JOIN m_legs g ON g.session_id = a.session_id AND g.prev_seq = a.parent_seq AND NOT g.reused
JOIN m_lines l ON l.session_id = g.session_id AND l.seq = g.seq
WHERE a.carriage = 'input_required' AND NOT coalesce(list_contains(l.input_keys, a.key), false)
UNION ALL
SELECT a.session_id, a.seq, a.item, e.end_seq, e.end_ts, 6, 'abandoned_session',
    CASE e.end_reason WHEN 'crash' THEN 'crash: the server failed' WHEN 'server' THEN 'server: it ended first'
        WHEN 'client' THEN 'client: it ended first' WHEN 'deleted' THEN 'client: it deleted the session' ELSE 'the record ends' END
FROM asked a JOIN m_ends e ON e.session_id = a.session_id
WHERE e.end_seq IS NOT NULL
