-- id: LIF-009
-- title: server/discover not found
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: server/discover
-- why: A client that discovers before it speaks takes the server for one of an older revision.
-- fix: Implement `server/discover`.
-- source: 2026-07-28 basic/versioning:73
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.answer_seq AS seq, 'server/discover' AS subject,
    'The server answered server/discover with -32601, and speaks 2026-07-28 all the same.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'code', x.error_code) AS evidence
FROM exchanges x
WHERE x.method = 'server/discover' AND x.error_code = -32601
    AND EXISTS (FROM exchanges y WHERE y.session_id = x.session_id AND y.direction = 'c2s' AND y.result_type IN ('complete', 'input_required'))
