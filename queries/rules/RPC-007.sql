-- id: RPC-007
-- title: An answer to a request that nobody sent
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- needs: #orphans
-- overrides: confidence
-- when: orphans: kind = 'response_unmatched'
-- why: A peer that answers what it was not asked is out of step, or speaks to another session; its answers cannot
--   be trusted.
-- fix: Answer each request once, with the id (and the type of id) that it came with.
-- source: 2025-11-25 basic/index:70
-- frameworks: MCP conformance

SELECT o.capture_id, o.session_id, o.seq, coalesce(o.rpc_id, '') AS subject,
    'The ' || if(o.direction = 'c2s', 'client', 'server') || ' answered the id ' || rid(o.rpc_id, o.rpc_id_type) || ', under which nothing was asked.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'direction', o.direction, 'detail', o.detail) AS evidence,
    unseen(s.lost_bytes, s.handshake) AS confidence
FROM orphans o
JOIN sessions s USING (session_id)
WHERE o.kind = 'response_unmatched' AND o.rpc_id IS NOT NULL AND o.rpc_id_type <> 'null' AND o.rpc_id <> 'server-error'
