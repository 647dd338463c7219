-- id: MRT-008
-- title: A retry that leaves questions unanswered
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #asks
-- why: The user may have answered, and the answer never went out; the server asks again.
-- fix: Answer every key of `inputRequests` in one retry, a refusal included.
-- source: 2026-07-28 basic/patterns/mrtr:251,266
-- frameworks: MCP conformance

SELECT capture_id, session_id, retry_seq AS seq, coalesce(tool, method) AS subject,
    'A retry of ' || coalesce(tool, method) || ' leaves ' || len(list_filter(keys_issued, lambda k: NOT list_contains(coalesce(keys_sent, []), k))) || ' of ' || len(keys_issued) || ' questions unanswered.' AS message,
    json_object('rpc_id', rid(retry_id, retry_id_type), 'asked_seq', answer_seq,
        'missing', list_filter(keys_issued, lambda k: NOT list_contains(coalesce(keys_sent, []), k))[1:10]) AS evidence
FROM rounds
WHERE len(keys_issued) > 0 AND NOT list_has_all(coalesce(keys_sent, []), keys_issued)
