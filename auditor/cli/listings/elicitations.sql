SELECT
    e.session_id, e.capture_id, e.seq, e.item, e.rpc_id, e.rpc_id_type, e.key, e.carriage, e.kind, e.mode, e.message,
    e.url, e.elicitation_id, e.declared, e.outcome, e.detail, e.late_action, e.asked_at AS moment, e.asked_at,
    e.answered_at, e.answered_seq, e.action, e.closed_seq, e.latency_us, e.parent_seq, e.parent_rpc_id, e.parent_rpc_id_type, e.parent_method,
    e.parent_tool AS tool, e.root_seq, e.root_rpc_id, e.root_rpc_id_type, e.tier, e.confidence, e.evidence,
    e.candidates, e.url_status, c.name, s.server_name AS server, s.client_name AS client, c.started_at AS capture_started,
    f.fields
FROM elicitations e
JOIN captures c USING (capture_id)
LEFT JOIN sessions s USING (session_id)
LEFT JOIN (
    SELECT
        capture_id, seq, item,
        list(
            struct_pack(name := name, type := type, required := required, sensitive := sensitive) ORDER BY ordinal
        ) AS fields
    FROM elicitation_fields
    GROUP BY ALL
) f ON f.capture_id = e.capture_id AND f.seq = e.seq AND f.item = e.item
