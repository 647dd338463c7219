-- id: MRT-007
-- title: A state used for another request than it was given for
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #asks
-- why: The consent that the state carries was given for other arguments.
-- fix: Repeat the method and params of the original request, but for `inputResponses` and `requestState`.
-- source: 2026-07-28 basic/patterns/mrtr:257
-- frameworks: MCP conformance, GDPR Art. 7, CWE-367

SELECT t.capture_id, t.session_id, t.seq, coalesce(any_value(t.tool), any_value(t.method)) AS subject,
    'A requestState that was given for ' || coalesce(any_value(k.tool), any_value(k.method)) || ' came back with another method or other params.' AS message,
    json_object('rpc_id', rid(any_value(t.rpc_id), any_value(t.rpc_id_type)), 'asked_seq', max(k.answer_seq)) AS evidence
FROM lines t
JOIN asks k ON k.session_id = t.session_id AND k.state = t.state AND k.answer_seq < t.seq
WHERE t.kind = 'request' AND t.direction = 'c2s' AND t.state IS NOT NULL
GROUP BY t.capture_id, t.session_id, t.seq
HAVING bool_and(k.params_hash IS DISTINCT FROM t.params_hash)
