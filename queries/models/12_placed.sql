-- id: placed
-- title: Messages with the key of their session
-- table: m_placed
-- why: a second handshake on one channel of messages opens a second session

SELECT
    m.* EXCLUDE (raw, raw_base64, hash, problems, lenient, duplicate_keys, last_event_id),
    coalesce(c.skey, '') AS skey,
    greatest(1, count(*) FILTER (m.method = 'initialize' AND m.kind = 'request' AND m.direction = 'c2s')
        OVER (PARTITION BY m.capture_id, coalesce(c.skey, '') ORDER BY m.seq)) AS run
FROM messages m
LEFT JOIN m_channels c ON c.capture_id = m.capture_id AND c.channel = m.channel AND m.channel > 0
ANTI JOIN m_redelivered r ON r.capture_id = m.capture_id AND r.seq = m.seq
