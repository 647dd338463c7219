-- id: MRT-002
-- title: input_required that asks nothing and keeps no state
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: #asks
-- why: The client has nothing to answer and nothing to send back, and repeats the call for ever or gives up.
-- fix: Send `inputRequests`, `requestState`, or both.
-- source: 2026-07-28 basic/patterns/mrtr:245
-- frameworks: MCP conformance

SELECT k.capture_id, k.session_id, k.answer_seq AS seq, coalesce(k.tool, k.method) AS subject,
    'input_required came with neither inputRequests nor requestState.' AS message,
    json_object('rpc_id', rid(k.rpc_id, k.rpc_id_type)) AS evidence
FROM asks k
JOIN messages m ON m.capture_id = k.capture_id AND m.seq = k.answer_seq
WHERE m.raw IS NOT NULL AND k.state IS NULL AND coalesce(len(k.input_keys), 0) = 0
