-- id: MRT-004
-- title: A retry without the state it was given, or with another
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #asks
-- why: The server knows by `requestState` where it stood. Without it the answers of the user are lost, or land in
--   another call.
-- fix: Send `requestState` back byte for byte.
-- source: 2026-07-28 basic/patterns/mrtr:254
-- frameworks: MCP conformance

SELECT t.capture_id, t.session_id, t.seq, coalesce(any_value(t.tool), any_value(t.method)) AS subject,
    'A retry of ' || coalesce(any_value(t.tool), any_value(t.method)) || if(any_value(t.state) IS NULL, ' lacks the requestState that the server had sent.', ' has another requestState than the server had sent.') AS message,
    json_object('rpc_id', rid(any_value(t.rpc_id), any_value(t.rpc_id_type)), 'asked_seq', max(k.answer_seq), 'keys', any_value(t.input_keys)) AS evidence
FROM lines t
JOIN asks k ON k.session_id = t.session_id AND k.params_hash = t.params_hash AND k.answer_seq < t.seq
WHERE t.kind = 'request' AND t.direction = 'c2s' AND t.input_keys IS NOT NULL
    AND (k.input_keys IS NULL OR list_has_any(k.input_keys, t.input_keys))
GROUP BY t.capture_id, t.session_id, t.seq
HAVING NOT bool_or(k.state IS NOT DISTINCT FROM t.state) AND bool_or(k.state IS NOT NULL)
