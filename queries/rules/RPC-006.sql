-- id: RPC-006
-- title: A request id that is still in use
-- severity: violation
-- confidence: high
-- party: either
-- revisions: 2026-07-28
-- why: While both requests are open, an answer under this id belongs to either of them.
-- fix: Use an id again only after its request was answered; better, never.
-- source: 2026-07-28 basic/index:48
-- frameworks: MCP conformance, ISO 27001 A.8.15

WITH uses AS (
    SELECT x.*, lag(x.seq) OVER w AS before, lag(x.end_seq) OVER w AS end_before, lag(x.end_cause) OVER w AS cause_before
    FROM exchanges x
    WHERE x.channel = 0
    WINDOW w AS (PARTITION BY x.session_id, x.direction, x.rpc_id_type, x.rpc_id ORDER BY x.seq)
)
SELECT capture_id, session_id, seq, method AS subject,
    'The id ' || rid(rpc_id, rpc_id_type) || ' was used for ' || method || ' while the request of record ' || before || ' was still open under it.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'first_seq', before, 'direction', direction) AS evidence
FROM uses
WHERE before IS NOT NULL AND (cause_before = 'id_reused' OR end_before IS NULL OR end_before > seq)
