-- id: spans
-- title: Sessions as stretches of a capture
-- table: m_spans
-- why: sessions are numbered in the order in which they began

SELECT
    capture_id, skey, run,
    capture_id || '.' || row_number() OVER (PARTITION BY capture_id ORDER BY first_seq) AS session_id,
    first_seq, last_seq, started_at, ended_at, messages,
    lead(first_seq) OVER (PARTITION BY capture_id, skey ORDER BY run) AS next_seq
FROM (
    SELECT capture_id, skey, run, min(seq) AS first_seq, max(seq) AS last_seq, min(ts) AS started_at, max(ts) AS ended_at,
        count(*) AS messages
    FROM m_placed
    GROUP BY ALL
)
