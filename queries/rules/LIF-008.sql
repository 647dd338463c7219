-- id: LIF-008
-- title: A result without a resultType
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- why: By `resultType` a client tells an answer from a question. Without it a prompt may be shown as a result.
-- fix: Set `resultType` to `complete` or `input_required` (`task` with the tasks extension).
-- source: 2026-07-28 basic/index:73,84
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, min(x.answer_seq) AS seq, x.method AS subject,
    count(*) || ' result(s) of ' || x.method || ' have ' || if(arg_min(x.result_type, x.answer_seq) IS NULL, 'no resultType.', 'a resultType that is not known.') AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.answer_seq), arg_min(x.rpc_id_type, x.answer_seq)), 'result_type', cut(arg_min(x.result_type, x.answer_seq), 80), 'count', count(*)) AS evidence
FROM exchanges x
JOIN sessions s USING (session_id)
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
WHERE x.direction = 'c2s' AND x.answer_kind = 'result' AND s.protocol = '2026-07-28' AND x.method <> 'initialize'
    AND m.redaction_error IS NULL AND (x.result_type IS NULL OR x.result_type NOT IN ('complete', 'input_required', 'task'))
GROUP BY x.capture_id, x.session_id, x.method
