-- id: RPC-008
-- title: A second answer to one request
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- needs: #orphans
-- when: orphans: kind = 'response_repeated'
-- why: The peer has acted on the first answer; whatever the second says is lost, or worse, believed.
-- fix: Send exactly one answer a request.
-- source: 2025-11-25 basic/index:70
-- frameworks: MCP conformance

SELECT o.capture_id, o.session_id, o.seq, coalesce(o.rpc_id, '') AS subject,
    'The request ' || rid(o.rpc_id, o.rpc_id_type) || ' was answered a second time.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'direction', o.direction, 'detail', o.detail) AS evidence
FROM orphans o
WHERE o.kind = 'response_repeated'
