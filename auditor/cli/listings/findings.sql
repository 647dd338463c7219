SELECT
    f.session_id, f.capture_id, f.seq, 0 AS item, f.rule, f.severity, f.confidence, f.party, f.subject, f.message,
    f.evidence, m.ts AS moment, m.rpc_id, m.rpc_id_type, m.tool, c.name, s.server_name AS server, s.client_name AS client,
    c.started_at AS capture_started
FROM findings f
JOIN captures c USING (capture_id)
LEFT JOIN sessions s USING (session_id)
LEFT JOIN messages m ON m.capture_id = f.capture_id AND m.seq = f.seq
