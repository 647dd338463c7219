-- id: web
-- title: HTTP exchanges, one row each
-- kind: table
-- table: web
-- needs: #http
-- why: rules about HTTP read what the request's head said beside what the answer's said; `old` marks the exchanges of the
--   HTTP+SSE transport of 2024-11-05, whose endpoint stands in an event

WITH heads AS (
    SELECT capture_id, exchange,
        min(seq) AS first_seq,
        min(seq) FILTER (direction = 'c2s') AS seq,
        max(http_method) AS http_method,
        max(path) FILTER (direction = 'c2s') AS path,
        max(session_header) FILTER (direction = 'c2s') AS session_sent,
        max(protocol_header) FILTER (direction = 'c2s') AS protocol_sent,
        max(accept) FILTER (direction = 'c2s') AS accept,
        max(last_event_id) FILTER (direction = 'c2s') AS last_event_id,
        max(mcp_method) FILTER (direction = 'c2s') AS mcp_method,
        max(mcp_name) FILTER (direction = 'c2s') AS mcp_name,
        max(status) AS status,
        min(seq) FILTER (status IS NOT NULL) AS status_seq,
        max(content_type) FILTER (direction = 's2c') AS answer_type,
        coalesce(bool_or(error IS NULL AND sse_close), false) AS closed,
        min(error) FILTER (truncated) AS cut
    FROM http_facts
    WHERE exchange > 0
    GROUP BY ALL
), said AS (
    SELECT capture_id, channel, min(session_id) AS session_id,
        count(*) FILTER (direction = 'c2s') AS sent,
        count(*) FILTER (direction = 'c2s' AND kind = 'request') AS requests,
        coalesce(bool_or(direction = 'c2s' AND method = 'initialize'), false) AS opens,
        max(protocol) FILTER (direction = 'c2s') AS protocol_said
    FROM traffic
    WHERE channel > 0
    GROUP BY ALL
), known AS (
    SELECT capture_id, session_header, arg_max(session_id, first_seq) AS session_id
    FROM sessions WHERE session_header IS NOT NULL GROUP BY ALL
)
SELECT h.*, coalesce(d.session_id, k.session_id) AS session_id, coalesce(d.sent, 0) AS sent,
    coalesce(d.requests, 0) AS requests, coalesce(d.opens, false) AS opens, d.protocol_said,
    o.capture_id IS NOT NULL AS old
FROM heads h
LEFT JOIN said d ON d.capture_id = h.capture_id AND d.channel = h.exchange
LEFT JOIN known k ON k.capture_id = h.capture_id AND k.session_header = h.session_sent
LEFT JOIN (SELECT DISTINCT capture_id FROM http_facts WHERE sse_event = 'endpoint') o ON o.capture_id = h.capture_id
WHERE h.seq IS NOT NULL
