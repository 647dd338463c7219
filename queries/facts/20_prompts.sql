-- id: prompts
-- title: Prompts with what was sent and what was answered
-- kind: table
-- table: prompts
-- needs: #prompts
-- why: many rules read the params of a prompt and the object that answered it, wherever its carriage put them

SELECT
    e.*,
    s.protocol AS revision,
    s.handshake,
    s.lost_bytes,
    s.end_reason,
    s.client_capabilities,
    m.method,
    CASE e.carriage
        WHEN 'request' THEN js(m.raw) -> '/params'
        WHEN 'url_required' THEN json_extract(js(m.raw), '/error/data/elicitations/' || e.item)
        ELSE json_extract(js(m.raw), '/result/inputRequests/' || step(e.key) || '/params')
    END AS params,
    CASE WHEN a.kind = 'error' OR e.carriage = 'url_required' THEN NULL
        WHEN e.carriage = 'request' THEN js(a.raw) -> '/result'
        ELSE json_extract(js(a.raw), '/params/inputResponses/' || step(e.key))
    END AS answer,
    a.error_code AS answer_code,
    CASE WHEN e.rpc_id IS NULL THEN to_json(e.key) ELSE rid(e.rpc_id, e.rpc_id_type) END AS wire_id,
    c.content_level
FROM elicitations e
JOIN sessions s USING (session_id)
JOIN captures c ON c.capture_id = e.capture_id
LEFT JOIN messages m ON m.capture_id = e.capture_id AND m.seq = e.seq
LEFT JOIN messages a ON a.capture_id = e.capture_id AND a.seq = e.answered_seq
