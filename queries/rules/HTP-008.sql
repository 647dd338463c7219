-- id: HTP-008
-- title: An answer on a stand-alone GET stream
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-03-26, 2025-06-18, 2025-11-25
-- needs: #http
-- why: Answers belong to the stream of their request; on the GET stream a client may not look for them.
-- fix: Answer on the stream of the POST; on a GET stream only when it resumes one by `Last-Event-ID`.
-- source: 2025-11-25 basic/transports:147
-- frameworks: MCP conformance

SELECT m.capture_id, m.session_id, m.seq, rid(m.rpc_id, m.rpc_id_type)::VARCHAR AS subject,
    'The server answered the request ' || rid(m.rpc_id, m.rpc_id_type) || ' on a GET stream.' AS message,
    json_object('exchange', m.channel, 'rpc_id', rid(m.rpc_id, m.rpc_id_type)) AS evidence
FROM traffic m
JOIN web w ON w.capture_id = m.capture_id AND w.exchange = m.channel
WHERE m.direction = 's2c' AND m.kind IN ('result', 'error') AND m.rpc_id_type IN ('integer', 'string')
    AND w.http_method = 'GET' AND w.last_event_id IS NULL AND NOT w.old
