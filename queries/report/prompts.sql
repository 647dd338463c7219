-- id: prompts
-- title: Prompts with their calls
-- why: who was asked for what, in the middle of which call, and what became of it
-- param: most INTEGER = 1000 | prompts that are shown, the latest ones

SELECT e.session_id AS session, e.seq, e.item, e.kind, e.mode, e.message, e.url, e.outcome, e.detail, e.late_action, e.url_status, e.carriage, e.asked_at, e.latency_us,
    e.parent_tool AS tool, e.parent_method AS method, e.root_rpc_id AS call_id, c.outcome AS call_outcome, e.tier, e.confidence, e.evidence,
    list_transform(e.candidates, lambda x: {'rpc_id': x.rpc_id, 'weight': x.weight}) AS candidates,
    s.server_name AS server, s.client_name AS client, s.protocol, f.fields
FROM elicitations e
LEFT JOIN sessions s USING (session_id)
LEFT JOIN calls c ON c.capture_id = e.capture_id AND c.seq = e.root_seq
LEFT JOIN (
    SELECT capture_id, seq, item, list({'name': name, 'type': type, 'required': required, 'answered': answered, 'sensitive': sensitive} ORDER BY ordinal) AS fields
    FROM elicitation_fields
    GROUP BY ALL
) f ON f.capture_id = e.capture_id AND f.seq = e.seq AND f.item = e.item
ORDER BY e.asked_at DESC, e.session_id DESC, e.seq DESC, e.item DESC
LIMIT $most
