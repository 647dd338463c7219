-- id: LIF-010
-- title: The client went on under a revision that does not exist
-- severity: warning
-- confidence: medium
-- party: client
-- revisions: all
-- needs: initialize
-- when: sessions: protocol NOT IN ('2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28')
-- why: It cannot know the rules of a revision that was never published, and should have closed the connection.
-- fix: Disconnect when the server's revision is not one that you support.
-- source: 2025-11-25 basic/lifecycle:174
-- frameworks: MCP conformance

SELECT i.capture_id, i.session_id, min(x.seq) AS seq, s.protocol AS subject,
    'The server chose the revision ' || cut(s.protocol, 40) || ', which was never published, and the client went on.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'initialize_seq', i.seq, 'revision', cut(s.protocol, 80)) AS evidence
FROM exchanges i
JOIN sessions s USING (session_id)
JOIN exchanges x ON x.session_id = i.session_id AND x.direction = 'c2s' AND x.seq > i.answer_seq
WHERE i.method = 'initialize' AND i.direction = 'c2s' AND i.answer_kind = 'result'
    AND s.protocol NOT IN ('2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28')
    AND s.protocol < '2026-07-28'
GROUP BY i.capture_id, i.session_id, i.seq, s.protocol
