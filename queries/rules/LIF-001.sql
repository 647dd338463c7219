-- id: LIF-001
-- title: A session that does not begin with initialize
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- needs: initialize
-- why: Before it there is no agreed revision and no capability, so nothing that was asked had to be understood.
-- fix: Send `initialize` first; only `ping` may come before it.
-- source: 2025-11-25 basic/lifecycle:40
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.seq, x.method AS subject,
    'The client sent ' || x.method || ' before its initialize.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'initialize_seq', i.seq) AS evidence
FROM exchanges x
JOIN (SELECT session_id, min(seq) AS seq FROM exchanges WHERE method = 'initialize' AND direction = 'c2s' GROUP BY ALL) i USING (session_id)
WHERE x.direction = 'c2s' AND x.seq < i.seq AND x.method NOT IN ('ping', 'server/discover')
QUALIFY row_number() OVER (PARTITION BY x.session_id ORDER BY x.seq) = 1
