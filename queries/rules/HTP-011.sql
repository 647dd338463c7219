-- id: HTP-011
-- title: A POST's stream ended without the answer, and nobody resumed it
-- severity: warning
-- confidence: medium
-- party: server
-- revisions: 2025-03-26, 2025-06-18, 2025-11-25
-- needs: #http
-- why: The server should not close the stream before it has answered; the client does not learn what became of its request.
-- fix: Answer before the stream ends, or send event ids so that it can be resumed.
-- source: 2025-11-25 basic/transports:117
-- frameworks: MCP conformance

SELECT w.capture_id, x.session_id, x.seq, x.method AS subject,
    'The stream of ' || x.method || ' ended without an answer.' AS message,
    json_object('exchange', w.exchange, 'rpc_id', rid(x.rpc_id, x.rpc_id_type), 'cut', w.cut) AS evidence
FROM web w
JOIN exchanges x ON x.capture_id = w.capture_id AND x.channel = w.exchange AND x.direction = 'c2s'
JOIN sessions s ON s.session_id = x.session_id AND s.lost_bytes = 0
WHERE w.http_method = 'POST' AND w.answer_type LIKE 'text/event-stream%' AND (w.closed OR w.cut = 'upstream closed')
    AND x.answer_seq IS NULL AND x.answer_count = 0 AND x.cancelled_seq IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM web g JOIN http_facts f ON f.capture_id = g.capture_id AND f.sse_id = g.last_event_id
        WHERE g.capture_id = w.capture_id AND g.http_method = 'GET' AND f.exchange = w.exchange
    )
