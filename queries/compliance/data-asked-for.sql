-- id: data-asked-for
-- title: Data asked for
-- question: Which fields do servers ask people for, how often are they required, filled in and used?
-- frameworks: GDPR Art. 5(1)(c), GDPR Art. 30

SELECT
    s.server_name AS server,
    e.parent_tool AS tool,
    f.name AS field,
    any_value(f.type) AS type,
    any_value(f.sensitive) AS sensitive,
    count(*) AS asked,
    count(*) FILTER (f.required) AS required,
    count(*) FILTER (e.outcome = 'accept') AS accepted,
    count(*) FILTER (f.answered) AS filled_in,
    count(*) FILTER (f.answered AND c.outcome = 'ok') AS used_by_successful_calls
FROM elicitation_fields f
JOIN elicitations e ON e.capture_id = f.capture_id AND e.seq = f.seq AND e.item = f.item
LEFT JOIN sessions s ON s.session_id = e.session_id
LEFT JOIN calls c ON c.capture_id = e.capture_id AND c.seq = e.root_seq
WHERE e.kind = 'elicitation'
GROUP BY s.server_name, e.parent_tool, f.name
ORDER BY asked DESC, server, tool, field
