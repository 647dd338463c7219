-- id: RPC-005
-- title: A request id used twice in one session
-- severity: violation
-- confidence: high
-- party: either
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- why: Two requests under one id make it impossible to say which of them an answer belongs to, in the peer and in
--   the record.
-- fix: Count ids up for the life of the session.
-- source: 2025-11-25 basic/index:48
-- frameworks: MCP conformance, ISO 27001 A.8.15

WITH twice AS (
    SELECT session_id, direction, rpc_id, rpc_id_type FROM exchanges GROUP BY ALL HAVING count(*) > 1
), uses AS (
    SELECT x.*, m.sse_id,
        lag(x.seq) OVER w AS before, lag(x.method) OVER w AS method_before, lag(m.sse_id) OVER w AS sse_before
    FROM exchanges x
    SEMI JOIN twice USING (session_id, direction, rpc_id, rpc_id_type)
    LEFT JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
    WINDOW w AS (PARTITION BY x.session_id, x.direction, x.rpc_id_type, x.rpc_id ORDER BY x.seq)
)
SELECT capture_id, session_id, seq, method AS subject,
    'The ' || if(direction = 'c2s', 'client', 'server') || ' used the id ' || rid(rpc_id, rpc_id_type)
        || ' again for ' || method || '; it had used it for ' || method_before || '.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'first_seq', before, 'direction', direction) AS evidence
FROM uses
WHERE before IS NOT NULL AND (sse_id IS NULL OR sse_before IS NULL OR sse_id <> sse_before)
