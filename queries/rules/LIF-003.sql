-- id: LIF-003
-- title: A request before initialize was answered
-- severity: warning
-- confidence: high
-- party: client
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- needs: initialize
-- why: The server has not yet said what it can do, and may refuse or drop the request.
-- fix: Wait for the answer to `initialize`.
-- source: 2025-11-25 basic/lifecycle:157
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.seq, x.method AS subject,
    'The client sent ' || x.method || ' before the answer to initialize.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'initialize_seq', i.seq, 'answer_seq', i.answer_seq) AS evidence
FROM exchanges i
JOIN exchanges x ON x.session_id = i.session_id AND x.direction = 'c2s' AND x.seq > i.seq AND x.seq < i.answer_seq
WHERE i.method = 'initialize' AND i.direction = 'c2s' AND x.method NOT IN ('ping', 'initialize')
