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
        WHEN 'request' THEN js(q.raw) -> '/params'
        WHEN 'url_required' THEN json_extract(js(q.raw), '/error/data/elicitations/' || e.item)
        ELSE json_extract(js(q.raw), '/result/inputRequests/' || step(e.key) || '/params')
    END AS params,
    CASE WHEN a.kind = 'error' OR e.carriage = 'url_required' THEN NULL
        WHEN e.carriage = 'request' THEN js(r.raw) -> '/result'
        ELSE json_extract(js(r.raw), '/params/inputResponses/' || step(e.key))
    END AS answer,
    a.error_code AS answer_code,
    CASE WHEN e.rpc_id IS NULL THEN to_json(e.key) ELSE rid(e.rpc_id, e.rpc_id_type) END AS wire_id,
    c.content_level
FROM elicitations e
JOIN sessions s USING (session_id)
JOIN captures c ON c.capture_id = e.capture_id
LEFT JOIN m_lines m ON m.session_id = e.session_id AND m.seq = e.seq
LEFT JOIN m_texts q ON q.capture_id = e.capture_id AND q.seq = e.seq
LEFT JOIN m_lines a ON a.session_id = e.session_id AND a.seq = e.answered_seq
LEFT JOIN m_texts r ON r.capture_id = e.capture_id AND r.seq = e.answered_seq
