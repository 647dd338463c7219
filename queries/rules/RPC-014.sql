-- id: RPC-014
-- title: A cancellation of a request that was never sent
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- needs: notifications/cancelled
-- overrides: confidence
-- why: The sender believes that it stopped something. Nothing was stopped.
-- fix: Cite the id of an open request of your own, with the type that it has (`1` is not `"1"`).
-- source: 2025-11-25 cancellation:32-34
-- frameworks: MCP conformance

SELECT t.capture_id, t.session_id, t.seq, t.ref AS subject,
    'The ' || if(t.direction = 'c2s', 'client', 'server') || ' cancelled ' || rid(t.ref, t.ref_type) || ', which it never asked.' AS message,
    json_object('rpc_id', rid(t.ref, t.ref_type), 'direction', t.direction,
        'same_text_other_type', EXISTS (FROM exchanges y WHERE y.session_id = t.session_id AND y.direction = t.direction AND y.rpc_id = t.ref)) AS evidence,
    unseen(t.lost_bytes, t.handshake) AS confidence
FROM lines t
WHERE t.method = 'notifications/cancelled' AND t.ref IS NOT NULL AND t.kind = 'notification'
    AND NOT (t.revision = '2026-07-28' AND t.direction = 's2c')
    AND NOT EXISTS (
        FROM exchanges x WHERE x.capture_id = t.capture_id AND x.direction = t.direction AND x.rpc_id = t.ref AND x.rpc_id_type = t.ref_type AND x.seq < t.seq
    )
