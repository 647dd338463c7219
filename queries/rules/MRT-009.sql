-- id: MRT-009
-- title: An answer to a question that was not asked
-- severity: warning
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #asks
-- why: A server that takes what it did not ask for can be fed answers that no user gave.
-- fix: Answer only the keys of `inputRequests`.
-- source: 2026-07-28 basic/patterns/mrtr:102,264
-- frameworks: MCP conformance

SELECT t.capture_id, t.session_id, t.seq, coalesce(t.tool, t.method) AS subject,
    'A retry of ' || coalesce(t.tool, t.method) || ' answers a key that the server had not asked for.' AS message,
    json_object('rpc_id', rid(t.rpc_id, t.rpc_id_type), 'keys', list_filter(t.input_keys, lambda k: NOT list_contains(a.keys, k))[1:10]) AS evidence
FROM lines t
JOIN (
    SELECT session_id, params_hash, min(answer_seq) AS first, flatten(list(coalesce(input_keys, []))) AS keys
    FROM asks GROUP BY ALL
) a ON a.session_id = t.session_id AND a.params_hash = t.params_hash AND a.first < t.seq
WHERE t.kind = 'request' AND t.direction = 'c2s' AND t.input_keys IS NOT NULL AND NOT list_has_all(a.keys, t.input_keys)
