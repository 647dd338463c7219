SELECT
    o.session_id, o.capture_id, o.seq, 0 AS item, o.kind, o.rpc_id, o.rpc_id_type, o.method, o.direction, o.detail,
    m.ts AS moment, coalesce(m.tool, k.tool) AS tool, c.name, s.server_name AS server, s.client_name AS client,
    c.started_at AS capture_started
FROM orphans o
JOIN captures c USING (capture_id)
LEFT JOIN sessions s USING (session_id)
LEFT JOIN messages m ON m.capture_id = o.capture_id AND m.seq = o.seq
LEFT JOIN calls k ON k.capture_id = o.capture_id AND k.seq = o.seq
