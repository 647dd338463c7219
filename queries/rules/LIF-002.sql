-- id: LIF-002
-- title: No notifications/initialized
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- needs: initialize
-- overrides: confidence
-- when: sessions: NOT handshake
-- why: A server may hold back requests, prompts among them, until it comes; some never start.
-- fix: Send `notifications/initialized` after the answer to `initialize`.
-- source: 2025-11-25 basic/lifecycle:147
-- frameworks: MCP conformance

SELECT i.capture_id, i.session_id, min(x.seq) AS seq, 'notifications/initialized' AS subject,
    'The client went on with ' || arg_min(x.method, x.seq) || ' and never said that it was initialized.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'initialize_seq', i.seq) AS evidence,
    CASE WHEN max(s.lost_bytes) > 0 THEN 'low' END AS confidence
FROM exchanges i
JOIN sessions s USING (session_id)
JOIN exchanges x ON x.session_id = i.session_id AND x.direction = 'c2s' AND x.seq > i.answer_seq AND x.method NOT IN ('ping', 'initialize')
WHERE i.method = 'initialize' AND i.direction = 'c2s' AND i.answer_kind = 'result'
    AND NOT EXISTS (FROM lines t WHERE t.session_id = i.session_id AND t.method = 'notifications/initialized')
GROUP BY i.capture_id, i.session_id, i.seq
