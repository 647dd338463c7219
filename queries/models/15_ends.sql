-- id: ends
-- title: How each session ended
-- table: m_ends
-- why: who closed first, and whether the server's process failed, decides what a prompt left open means. That a file
--   which was imported stops is no end of what it tells of

WITH last AS (
    SELECT
        e.capture_id,
        min(seq) FILTER (event = 'eof' AND direction = 'c2s') AS client_seq,
        min(seq) FILTER (event = 'eof' AND direction = 's2c') AS server_seq,
        min(seq) FILTER (event = 'exit') AS exit_seq,
        max(seq) FILTER (event IN ('eof', 'exit') OR (event = 'seal' AND transport <> 'import')) AS end_seq,
        max(ts) FILTER (event IN ('eof', 'exit') OR (event = 'seal' AND transport <> 'import')) AS end_ts
    FROM events e
    JOIN captures c ON c.capture_id = e.capture_id
    GROUP BY ALL
), deleted AS (
    SELECT c.capture_id, c.skey, min(h.seq) AS seq, min(h.ts) AS ts
    FROM http_facts h
    JOIN m_channels c ON c.capture_id = h.capture_id AND c.channel = h.exchange AND c.skey <> ''
    WHERE h.http_method = 'DELETE'
    GROUP BY ALL
)
SELECT
    s.capture_id,
    s.session_id,
    CASE
        WHEN s.next_seq IS NOT NULL THEN 'client'
        WHEN d.seq IS NOT NULL THEN 'deleted'
        WHEN NOT c.sealed AND l.exit_seq IS NULL AND l.client_seq IS NULL AND l.server_seq IS NULL THEN 'open'
        WHEN coalesce(l.server_seq, l.exit_seq) < coalesce(l.client_seq, 9223372036854775807)
            THEN CASE WHEN c.exit_code <> 0 OR c.exit_signal IS NOT NULL THEN 'crash' ELSE 'server' END
        WHEN l.client_seq IS NOT NULL THEN 'client'
        ELSE 'unknown'
    END AS end_reason,
    CASE WHEN s.next_seq IS NOT NULL THEN s.next_seq WHEN d.seq IS NOT NULL THEN greatest(d.seq, s.last_seq) ELSE l.end_seq END
        AS end_seq,
    CASE WHEN s.next_seq IS NOT NULL THEN s.ended_at WHEN d.seq IS NOT NULL THEN greatest(d.ts, s.ended_at) ELSE l.end_ts END AS end_ts
FROM m_spans s
JOIN captures c ON c.capture_id = s.capture_id
LEFT JOIN last l ON l.capture_id = s.capture_id
LEFT JOIN deleted d ON d.capture_id = s.capture_id AND d.skey = s.skey
