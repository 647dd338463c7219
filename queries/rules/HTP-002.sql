-- id: HTP-002
-- title: MCP-Protocol-Version differs from what was negotiated
-- severity: warning
-- confidence: high
-- party: client
-- revisions: 2025-06-18, 2025-11-25
-- needs: #http
-- why: Client and server then hold different rules to be in force.
-- fix: Send the revision that the answer to `initialize` named.
-- source: 2025-11-25 basic/transports:271
-- frameworks: MCP conformance

SELECT w.capture_id, w.session_id, min(w.seq) AS seq, w.protocol_sent AS subject,
    'The client sent MCP-Protocol-Version ' || w.protocol_sent || ' where ' || s.protocol || ' was agreed on.' AS message,
    json_object('exchanges', list(w.exchange ORDER BY w.seq)[:20], 'negotiated', s.protocol) AS evidence
FROM web w
JOIN sessions s ON s.session_id = w.session_id
JOIN exchanges i ON i.session_id = s.session_id AND i.method = 'initialize' AND i.direction = 'c2s' AND i.answer_seq < w.seq
WHERE w.protocol_sent <> s.protocol AND NOT w.opens
GROUP BY w.capture_id, w.session_id, s.protocol, w.protocol_sent
