SELECT
    k.session_id, k.capture_id, k.seq, 0 AS item, k.rpc_id, k.rpc_id_type, k.method, k.tool, k.legs, k.outcome,
    k.error_code, k.started_at AS moment, k.started_at, k.ended_at, k.end_seq, k.duration_us, k.human_us, k.server_us, k.prompts,
    k.task_id, c.name, s.server_name AS server, s.client_name AS client, c.started_at AS capture_started
FROM calls k JOIN captures c USING (capture_id) LEFT JOIN sessions s USING (session_id)
