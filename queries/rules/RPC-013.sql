-- id: RPC-013
-- title: An answer to a cancelled request
-- severity: warning
-- confidence: medium
-- party: either
-- revisions: all
-- needs: #orphans
-- overrides: severity, confidence
-- when: orphans: kind = 'response_after_cancel'
-- why: The work went on after the caller had given it up, and its result is dropped.
-- fix: Stop at the cancellation and send nothing more for this request.
-- source: 2025-11-25 cancellation:37-40; 2026-07-28 basic/transports/stdio:82
-- frameworks: MCP conformance

SELECT o.capture_id, o.session_id, o.seq, x.method AS subject,
    x.method || coalesce(' of ' || x.tool, '') || ' was answered ' || spell(epoch_us(m.ts) - epoch_us(x.cancelled_ts)) || ' after it was cancelled.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'cancelled_seq', x.cancelled_seq, 'direction', o.direction) AS evidence,
    CASE WHEN s.protocol = '2026-07-28' THEN 'violation' END AS severity,
    CASE WHEN epoch_us(m.ts) - epoch_us(x.cancelled_ts) < 1000000 THEN 'low' END AS confidence
FROM orphans o
JOIN sessions s USING (session_id)
JOIN messages m ON m.capture_id = o.capture_id AND m.seq = o.seq
JOIN exchanges x ON x.session_id = o.session_id AND x.rpc_id = o.rpc_id AND x.rpc_id_type = o.rpc_id_type
    AND x.direction <> m.direction AND x.cancelled_seq < o.seq
WHERE o.kind = 'response_after_cancel'
    AND coalesce(m.error_code, 1) <> -32800
    AND NOT (coalesce(m.error_code, 1) = 0 AND contains(coalesce(m.raw, ''), 'Request cancelled'))
QUALIFY row_number() OVER (PARTITION BY o.capture_id, o.seq ORDER BY x.seq DESC) = 1
