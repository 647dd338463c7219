-- id: MRT-005
-- title: A retry with a state that was never given
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #asks
-- why: A state from somewhere else carries one user's answers into another call.
-- fix: Send `requestState` only when the result had one.
-- source: 2026-07-28 basic/patterns/mrtr:255
-- frameworks: MCP conformance

SELECT t.capture_id, t.session_id, t.seq, coalesce(any_value(t.tool), any_value(t.method)) AS subject,
    'A retry of ' || coalesce(any_value(t.tool), any_value(t.method)) || ' has a requestState, and the server had sent none.' AS message,
    json_object('rpc_id', rid(any_value(t.rpc_id), any_value(t.rpc_id_type)), 'asked_seq', max(k.answer_seq)) AS evidence
FROM lines t
JOIN asks k ON k.session_id = t.session_id AND k.params_hash = t.params_hash AND k.answer_seq < t.seq
WHERE t.kind = 'request' AND t.direction = 'c2s' AND t.state IS NOT NULL
    AND NOT EXISTS (FROM asks o WHERE o.session_id = t.session_id AND o.state = t.state)
GROUP BY t.capture_id, t.session_id, t.seq
HAVING bool_and(k.state IS NULL)
