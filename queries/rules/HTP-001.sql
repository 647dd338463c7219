-- id: HTP-001
-- title: A request without MCP-Protocol-Version
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2025-06-18, 2025-11-25
-- needs: #http
-- why: Without the header a server must assume 2025-03-26, and may read the request by other rules than were agreed on.
-- fix: Send `MCP-Protocol-Version` with the negotiated revision on every request after the handshake.
-- source: 2025-11-25 basic/transports:265
-- frameworks: MCP conformance

SELECT w.capture_id, w.session_id, min(w.seq) AS seq, 'MCP-Protocol-Version' AS subject,
    'The client left MCP-Protocol-Version out of ' || count(*) || if(count(*) = 1, ' request', ' requests')
        || ' after ' || s.protocol || ' was agreed on.' AS message,
    json_object('exchanges', list(w.exchange ORDER BY w.seq)[:20], 'negotiated', s.protocol) AS evidence
FROM web w
JOIN sessions s ON s.session_id = w.session_id
JOIN exchanges i ON i.session_id = s.session_id AND i.method = 'initialize' AND i.direction = 'c2s' AND i.answer_seq < w.seq
WHERE w.protocol_sent IS NULL AND NOT w.opens AND NOT w.old AND w.http_method IN ('POST', 'GET', 'DELETE')
    AND (w.sent > 0 OR w.session_sent IS NOT NULL)
GROUP BY w.capture_id, w.session_id, s.protocol
