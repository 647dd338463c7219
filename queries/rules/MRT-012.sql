-- id: MRT-012
-- title: A question that the client never came back to
-- severity: info
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #asks
-- overrides: confidence
-- why: The call hangs in the middle; whether the user refused, or never saw the form, is not on record.
-- fix: Retry with `decline` or `cancel` when the user does not want to answer.
-- source: 2026-07-28 basic/patterns/mrtr:247
-- frameworks: ISO 27001 A.8.15, EU AI Act Art. 14

SELECT o.capture_id, o.session_id, o.seq, coalesce(any_value(x.tool), o.method, '') AS subject,
    'The server asked for input' || coalesce(' in ' || any_value(x.tool), '') || ', and the client never came back.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'detail', o.detail) AS evidence,
    CASE WHEN any_value(s.lost_bytes) > 0 THEN 'low' END AS confidence
FROM orphans o
JOIN sessions s USING (session_id)
LEFT JOIN exchanges x ON x.capture_id = o.capture_id AND (x.answer_seq = o.seq OR x.seq = o.seq)
WHERE o.kind = 'input_never_retried' AND s.end_reason <> 'open'
GROUP BY o.capture_id, o.session_id, o.seq, o.method, o.rpc_id, o.rpc_id_type, o.detail
