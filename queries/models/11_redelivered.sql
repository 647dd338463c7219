-- id: redelivered
-- title: Messages that a resumed stream delivered again
-- table: m_redelivered
-- why: the same event of the same session, sent again after Last-Event-ID, is one message

SELECT capture_id, seq
FROM (
    SELECT m.capture_id, m.seq,
        row_number() OVER (PARTITION BY m.capture_id, c.skey, m.sse_id, hash(m.raw) ORDER BY m.seq) AS n
    FROM messages m
    JOIN m_channels c ON c.capture_id = m.capture_id AND c.channel = m.channel
    WHERE m.sse_id IS NOT NULL AND m.direction = 's2c'
)
WHERE n > 1
