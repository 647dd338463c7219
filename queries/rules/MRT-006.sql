-- id: MRT-006
-- title: A retry under the id of the call it repeats
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #asks
-- why: A late answer to the first request is taken for the answer to the retry.
-- fix: Give every retry a new id.
-- source: 2026-07-28 basic/patterns/mrtr:256
-- frameworks: MCP conformance

SELECT capture_id, session_id, retry_seq AS seq, coalesce(tool, method) AS subject,
    'A retry of ' || coalesce(tool, method) || ' has the id ' || rid(retry_id, retry_id_type) || ' of the request that it repeats.' AS message,
    json_object('rpc_id', rid(retry_id, retry_id_type), 'first_seq', seq) AS evidence
FROM rounds
WHERE retry_id = rpc_id AND retry_id_type = rpc_id_type
