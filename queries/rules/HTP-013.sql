-- id: HTP-013
-- title: A notification or answer was taken, but not with 202
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #http
-- why: The client cannot tell whether a message of the server will follow.
-- fix: Answer 202 without a body to a POST that holds no request.
-- source: 2025-11-25 basic/transports:96; 2026-07-28 basic/transports/streamable-http:83
-- frameworks: MCP conformance

SELECT w.capture_id, w.session_id, min(w.seq) AS seq, w.status::VARCHAR AS subject,
    'The server took ' || count(*) || if(count(*) = 1, ' POST', ' POSTs') || ' without a request in it with '
        || w.status || ' instead of 202.' AS message,
    json_object('exchanges', list(w.exchange ORDER BY w.seq)[:20], 'status', w.status) AS evidence
FROM web w
WHERE w.http_method = 'POST' AND w.sent > 0 AND w.requests = 0 AND NOT w.old AND w.status BETWEEN 200 AND 299 AND w.status <> 202
GROUP BY w.capture_id, w.session_id, w.status
