-- id: LIF-004
-- title: A server request before the client was initialized
-- severity: warning
-- confidence: high
-- party: server
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- needs: initialize
-- when: exchanges: direction = 's2c' AND method <> 'ping'
-- why: The client may not be able to show a prompt yet, and drops it.
-- fix: Wait for `notifications/initialized`; only `ping` may come before it.
-- source: 2025-11-25 basic/lifecycle:160
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.seq, x.method AS subject,
    'The server sent ' || x.method || ' before the client said that it was initialized.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'initialized_seq', n.seq) AS evidence
FROM exchanges i
JOIN (SELECT session_id, min(seq) AS seq FROM lines WHERE method = 'notifications/initialized' GROUP BY ALL) n USING (session_id)
JOIN exchanges x ON x.session_id = i.session_id AND x.direction = 's2c' AND x.seq > i.seq AND x.seq < n.seq
WHERE i.method = 'initialize' AND i.direction = 'c2s' AND x.method <> 'ping'
