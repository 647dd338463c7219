-- id: HTP-006
-- title: A session went on after its end
-- severity: violation
-- confidence: high
-- party: either
-- revisions: 2025-03-26, 2025-06-18, 2025-11-25
-- needs: #http
-- why: The id of an ended session must not open anything any more; and a client that is told so must begin anew.
-- fix: Server: answer 404 to the id of an ended session. Client: after a 404 send `initialize` without an id.
-- source: 2025-11-25 basic/transports:211-214
-- frameworks: MCP conformance

WITH ended AS (
    SELECT capture_id, session_sent, min(status_seq) AS seq FROM web
    WHERE http_method = 'DELETE' AND status BETWEEN 200 AND 299 AND session_sent IS NOT NULL GROUP BY ALL
), refused AS (
    SELECT w.capture_id, w.session_sent, min(w.status_seq) AS seq FROM web w
    JOIN sessions s ON s.capture_id = w.capture_id AND s.session_header = w.session_sent AND s.first_seq < w.seq AND s.handshake
    WHERE w.status = 404 AND w.http_method <> 'DELETE' GROUP BY ALL
)
SELECT w.capture_id, w.session_id, min(w.seq) AS seq, 'server' AS subject,
    'The server answered ' || min(w.status) || ' to a session that had been deleted.' AS message,
    json_object('deleted_seq', e.seq, 'exchanges', list(w.exchange ORDER BY w.seq)[:20]) AS evidence
FROM web w
JOIN ended e ON e.capture_id = w.capture_id AND e.session_sent = w.session_sent AND w.seq > e.seq
WHERE w.status < 300 AND w.http_method IN ('POST', 'GET')
GROUP BY w.capture_id, w.session_id, e.seq
UNION ALL
SELECT w.capture_id, w.session_id, min(w.seq) AS seq, 'client' AS subject,
    'The client went on with a session that the server had answered with 404.' AS message,
    json_object('refused_seq', r.seq, 'exchanges', list(w.exchange ORDER BY w.seq)[:20]) AS evidence
FROM web w
JOIN refused r ON r.capture_id = w.capture_id AND r.session_sent = w.session_sent AND w.seq > r.seq
WHERE w.http_method IN ('POST', 'GET')
GROUP BY w.capture_id, w.session_id, r.seq
