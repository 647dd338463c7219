-- id: TOO-005
-- title: A list that does not say how long it holds
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- why: Without `ttlMs` and `cacheScope` a client asks at every turn, or shares one user's list with another.
-- fix: Put both into every list result.
-- source: 2026-07-28 caching:13
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, min(x.answer_seq) AS seq, x.method AS subject,
    count(*) || ' result(s) of ' || x.method || ' lack ttlMs or cacheScope.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'count', count(*)) AS evidence
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
WHERE x.direction = 'c2s' AND x.answer_kind = 'result' AND x.method IN ('tools/list', 'prompts/list', 'resources/list', 'resources/templates/list')
    AND json_type(late(m.raw, x.seq), '$.result') = 'OBJECT'
    AND NOT (json_exists(late(m.raw, x.seq), '$.result.ttlMs') AND json_exists(late(m.raw, x.seq), '$.result.cacheScope'))
GROUP BY x.capture_id, x.session_id, x.method
