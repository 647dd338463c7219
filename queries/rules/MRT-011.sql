-- id: MRT-011
-- title: A changed state was accepted
-- severity: violation
-- confidence: medium
-- party: server
-- revisions: 2026-07-28
-- needs: #asks
-- why: Whoever can change the state can change what was agreed to: the amount, the target, the user.
-- fix: Sign the state, and refuse one that was changed.
-- source: 2026-07-28 basic/patterns/mrtr:232
-- frameworks: CWE-345, SOC 2 CC6.1

SELECT t.capture_id, t.session_id, any_value(x.answer_seq) AS seq, coalesce(any_value(t.tool), any_value(t.method)) AS subject,
    'The server completed ' || coalesce(any_value(t.tool), any_value(t.method)) || ' on a requestState that it had not sent.' AS message,
    json_object('rpc_id', rid(any_value(t.rpc_id), any_value(t.rpc_id_type)), 'retry_seq', t.seq, 'asked_seq', max(k.answer_seq)) AS evidence
FROM lines t
JOIN exchanges x ON x.capture_id = t.capture_id AND x.seq = t.seq AND x.answer_kind = 'result' AND x.result_type = 'complete' AND coalesce(x.is_error, false) = false
JOIN asks k ON k.session_id = t.session_id AND k.params_hash = t.params_hash AND k.answer_seq < t.seq
WHERE t.kind = 'request' AND t.direction = 'c2s' AND t.state IS NOT NULL AND list_has_any(k.input_keys, t.input_keys)
    AND NOT EXISTS (FROM asks o WHERE o.session_id = t.session_id AND o.state = t.state)
GROUP BY t.capture_id, t.session_id, t.seq
HAVING bool_and(k.state IS NOT NULL)
