-- id: streams
-- title: The request that each stream answers
-- table: m_streams
-- why: a prompt on the stream that answers a POST belongs to that POST's request; a stream resumed by Last-Event-ID
--   goes on with the stream that it resumes; a stand-alone GET stream is evidence of nothing

WITH RECURSIVE born AS (
    SELECT capture_id, sse_id, arg_min(channel, seq) AS channel FROM messages WHERE sse_id IS NOT NULL GROUP BY ALL
    UNION
    SELECT capture_id, sse_id, arg_min(exchange, seq) FROM http_facts h WHERE sse_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.capture_id = h.capture_id AND m.sse_id = h.sse_id) GROUP BY ALL
), resumed AS (
    SELECT DISTINCT h.capture_id, h.exchange AS channel, b.channel AS origin
    FROM http_facts h
    JOIN born b ON b.capture_id = h.capture_id AND b.sse_id = h.last_event_id AND b.channel < h.exchange
    WHERE h.last_event_id IS NOT NULL
), traced AS (
    SELECT capture_id, channel, origin, 1 AS depth FROM resumed
    UNION ALL
    SELECT t.capture_id, t.channel, r.origin, t.depth + 1
    FROM traced t JOIN resumed r ON r.capture_id = t.capture_id AND r.channel = t.origin
    WHERE t.depth < 64
), origins AS (
    SELECT capture_id, channel, arg_max(origin, depth) AS origin FROM traced GROUP BY ALL
), posted AS (
    SELECT capture_id, channel, session_id, min(seq) AS seq, count(*) AS requests
    FROM m_lines
    WHERE kind = 'request' AND direction = 'c2s' AND channel > 0
    GROUP BY ALL
)
SELECT p.capture_id, p.channel, p.session_id, p.seq, p.requests, false AS resumed FROM posted p
UNION ALL
SELECT o.capture_id, o.channel, p.session_id, p.seq, p.requests, true
FROM origins o JOIN posted p ON p.capture_id = o.capture_id AND p.channel = o.origin
WHERE NOT EXISTS (SELECT 1 FROM posted q WHERE q.capture_id = o.capture_id AND q.channel = o.channel)
