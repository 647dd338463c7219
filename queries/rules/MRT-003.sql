-- id: MRT-003
-- title: An input request that is no prompt
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: #asks
-- why: A client knows elicitation, sampling and roots; an entry with another method can never be answered, so the
--   call can never go on.
-- fix: Put only these three into `inputRequests`.
-- source: 2026-07-28 basic/patterns/mrtr:229
-- frameworks: MCP conformance

SELECT k.capture_id, k.session_id, k.answer_seq AS seq, cut(e.key, 100) AS subject,
    'The input request ' || cut(e.key, 60) || ' has ' || coalesce('the method ' || cut(json_extract_string(e.value, '$.method'), 60), 'no method') || '.' AS message,
    json_object('rpc_id', rid(k.rpc_id, k.rpc_id_type), 'key', cut(e.key, 100)) AS evidence
FROM (
    SELECT k.*, late(m.raw, k.answer_seq) -> '$.result.inputRequests' AS requests
    FROM asks k
    JOIN messages m ON m.capture_id = k.capture_id AND m.seq = k.answer_seq
) k, json_each(k.requests) e
WHERE json_type(k.requests) = 'OBJECT'
    AND coalesce(json_extract_string(e.value, '$.method'), '') NOT IN ('elicitation/create', 'sampling/createMessage', 'roots/list')
