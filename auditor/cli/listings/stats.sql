SELECT
    e.session_id, e.capture_id, e.seq, e.item, e.outcome, e.kind, e.carriage, e.tier, coalesce(e.mode, 'form') AS mode,
    e.asked_at AS moment, strftime(e.asked_at, '%Y-%m-%d') AS day, e.parent_tool AS tool, c.name, s.server_name AS server,
    s.client_name AS client, s.protocol, coalesce(f.kinds, ['none']) AS field_kinds, e.latency_us,
    greatest(0, epoch_us(coalesce(e.closed_at, s.ended_at, e.asked_at)) - epoch_us(e.asked_at)) AS open_us
FROM elicitations e
JOIN captures c USING (capture_id)
LEFT JOIN sessions s USING (session_id)
LEFT JOIN (
    SELECT capture_id, seq, item, list(DISTINCT coalesce(sensitive, 'none') ORDER BY 1) AS kinds
    FROM elicitation_fields
    GROUP BY ALL
) f ON f.capture_id = e.capture_id AND f.seq = e.seq AND f.item = e.item
WHERE e.kind = 'elicitation'
