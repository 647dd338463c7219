-- id: HTP-005
-- title: The session id that the server issued was left out
-- severity: violation
-- confidence: medium
-- party: client
-- revisions: 2025-03-26, 2025-06-18, 2025-11-25
-- needs: #http
-- why: A server that issues an id cannot tell whose request it is without it, and should refuse it.
-- fix: Send `Mcp-Session-Id` on every request after `initialize`.
-- source: 2025-11-25 basic/transports:206
-- frameworks: MCP conformance

WITH issued AS (
    SELECT capture_id, min(first_seq) AS first_seq, max(session_header IS NULL AND handshake) AS some_without
    FROM sessions WHERE coalesce(protocol, '') < '2026' GROUP BY ALL HAVING max(session_header) IS NOT NULL
)
SELECT w.capture_id, w.session_id, min(w.seq) AS seq, 'Mcp-Session-Id' AS subject,
    count(*) || if(count(*) = 1, ' request', ' requests') || ' went without the session id that the server had issued.' AS message,
    json_object('exchanges', list(w.exchange ORDER BY w.seq)[:20], 'statuses', list(DISTINCT w.status)) AS evidence
FROM web w
JOIN issued i ON i.capture_id = w.capture_id AND i.first_seq < w.seq AND NOT i.some_without
WHERE w.session_sent IS NULL AND w.http_method = 'POST' AND w.sent > 0 AND NOT w.opens AND NOT w.old
    AND w.mcp_method IS NULL AND coalesce(w.protocol_said, w.protocol_sent, '') < '2026'
    AND EXISTS (SELECT 1 FROM web o WHERE o.capture_id = w.capture_id AND o.opens AND o.status_seq < w.seq AND o.status < 300)
GROUP BY w.capture_id, w.session_id
