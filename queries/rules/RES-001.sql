-- id: RES-001
-- title: A missing resource under the wrong code
-- severity: warning
-- confidence: low
-- party: server
-- revisions: all
-- needs: resources/read
-- overrides: severity
-- why: Clients tell a resource that is gone from a server that failed by the code.
-- fix: Answer with `-32602` since 2026-07-28, with `-32002` before.
-- source: 2026-07-28 resources:404; 2025-11-25 resources:388
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.answer_seq AS seq, cut(x.tool, 100) AS subject,
    'A resource was not found, and the code is ' || x.error_code || '.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'code', x.error_code) AS evidence,
    CASE WHEN s.protocol = '2026-07-28' THEN 'violation' END AS severity
FROM exchanges x
JOIN sessions s USING (session_id)
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
WHERE x.method = 'resources/read' AND x.answer_kind = 'error'
    AND x.error_code <> CASE WHEN s.protocol = '2026-07-28' THEN -32602 ELSE -32002 END
    AND x.error_code NOT IN (-32601, -32600, -32700)
    AND regexp_matches(lower(json_extract_string(late(m.raw, x.seq), '$.error.message')), '(not found|no such|unknown resource|does not exist)')
