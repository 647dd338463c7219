-- id: placed
-- title: Messages with the key of their session
-- table: m_placed
-- why: a second handshake on one channel of messages opens a second session. Most captures have no second one, and need
--   no order; nothing but what places a message is kept, for a copy of every message is dear

WITH again AS (
    SELECT capture_id, skey, seq, n
    FROM (
        SELECT m.capture_id, coalesce(c.skey, '') AS skey, m.seq,
            row_number() OVER (PARTITION BY m.capture_id, coalesce(c.skey, '') ORDER BY m.seq) AS n
        FROM messages m
        LEFT JOIN m_channels c ON c.capture_id = m.capture_id AND c.channel = m.channel AND m.channel > 0
        ANTI JOIN m_redelivered r ON r.capture_id = m.capture_id AND r.seq = m.seq
        WHERE m.method = 'initialize' AND m.kind = 'request' AND m.direction = 'c2s'
    )
    WHERE n > 1
), keyed AS (
    SELECT m.capture_id, m.seq, m.ts, coalesce(c.skey, '') AS skey
    FROM messages m
    LEFT JOIN m_channels c ON c.capture_id = m.capture_id AND c.channel = m.channel AND m.channel > 0
    ANTI JOIN m_redelivered r ON r.capture_id = m.capture_id AND r.seq = m.seq
)
SELECT k.capture_id, k.seq, k.ts, k.skey, 1::BIGINT AS run
FROM keyed k
ANTI JOIN again a ON a.capture_id = k.capture_id
UNION ALL
SELECT k.capture_id, k.seq, k.ts, k.skey, coalesce(a.n, 1)
FROM (FROM keyed SEMI JOIN again USING (capture_id)) k
ASOF LEFT JOIN again a ON a.capture_id = k.capture_id AND a.skey = k.skey AND k.seq >= a.seq
