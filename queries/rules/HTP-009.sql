-- id: HTP-009
-- title: A server's request on the GET stream while a call is open
-- severity: info
-- confidence: medium
-- party: server
-- revisions: 2025-03-26, 2025-06-18, 2025-11-25
-- needs: #http
-- why: Requests on a GET stream should belong to no call; when they do, nothing on the wire says to which.
-- fix: Send a request that belongs to a call on the stream that answers the call.
-- source: 2025-11-25 basic/transports:145
-- frameworks: MCP conformance

SELECT m.capture_id, m.session_id, m.seq, m.method AS subject,
    'The server sent ' || m.method || ' on a GET stream while ' || count(*) || if(count(*) = 1, ' request', ' requests')
        || ' of the client stood open.' AS message,
    json_object('exchange', m.channel, 'open', list(x.seq ORDER BY x.seq)[:20]) AS evidence
FROM traffic m
JOIN web w ON w.capture_id = m.capture_id AND w.exchange = m.channel
JOIN exchanges x ON x.session_id = m.session_id AND x.direction = 'c2s' AND x.seq < m.seq
    AND (x.end_seq IS NULL OR x.end_seq > m.seq)
WHERE m.direction = 's2c' AND m.kind = 'request' AND w.http_method = 'GET' AND w.last_event_id IS NULL AND NOT w.old
    AND m.method <> 'ping'
GROUP BY m.capture_id, m.session_id, m.seq, m.method, m.channel
