-- id: LOG-001
-- title: Log messages that nobody asked for
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: notifications/message
-- why: Since 2026-07-28 each request says whether it wants logs; others fill the client's memory and its model.
-- fix: Log only for requests whose `_meta` names a `logLevel`.
-- source: 2026-07-28 logging:63
-- frameworks: MCP conformance

SELECT t.capture_id, t.session_id, min(t.seq) AS seq, t.method AS subject,
    count(*) || ' log message(s) came, and no request before them had asked for logs.' AS message,
    json_object('count', count(*), 'seqs', list(t.seq ORDER BY t.seq)[1:5]) AS evidence
FROM traffic t
WHERE t.method = 'notifications/message' AND t.direction = 's2c' AND t.revision = '2026-07-28'
    AND NOT EXISTS (FROM traffic r WHERE r.capture_id = t.capture_id AND r.kind = 'request' AND r.direction = 'c2s' AND r.seq < t.seq
        AND contains(r.raw, 'io.modelcontextprotocol/logLevel'))
GROUP BY t.capture_id, t.session_id, t.method
