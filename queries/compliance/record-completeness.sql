-- id: record-completeness
-- title: Completeness of the record
-- question: Which captures are whole, and of which is something missing, so that absence proves nothing?
-- frameworks: ISO 27001 A.8.15, SOC 2 CC7.2, EU AI Act Art. 12

SELECT
    c.capture_id AS capture,
    c.transport,
    coalesce(c.name, c.cmd[1], c.upstream) AS server,
    c.started_at,
    c.ended_at,
    CASE
        WHEN i.problem IS NOT NULL THEN 'damaged'
        WHEN c.lost_bytes > 0 THEN 'gaps'
        WHEN NOT c.sealed THEN 'not sealed'
        WHEN coalesce(m.unstored, 0) > 0 THEN 'messages without text'
        WHEN c.inferred_directions THEN 'directions inferred'
        ELSE 'whole'
    END AS state,
    c.lost_bytes,
    coalesce(m.messages, 0) AS messages,
    coalesce(m.unstored, 0) AS messages_without_text,
    coalesce(o.oddities, 0) AS not_understood,
    i.problem,
    c.content_level,
    i.last_hash
FROM captures c
LEFT JOIN ingested i USING (capture_id)
LEFT JOIN (
    SELECT capture_id, count(*) AS messages, count(*) FILTER (redaction_error IS NOT NULL) AS unstored FROM messages GROUP BY ALL
) m USING (capture_id)
LEFT JOIN (SELECT capture_id, count(*) AS oddities FROM oddities GROUP BY ALL) o USING (capture_id)
ORDER BY c.started_at, capture
