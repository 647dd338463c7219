-- id: PRM-003
-- title: A field that no successful call ever used
-- severity: info
-- confidence: medium
-- party: server
-- revisions: all
-- scope: store
-- when: elicitation_fields: true
-- why: People leave it empty and the call works all the same; what is not needed need not be asked.
-- fix: Drop the field from the form.
-- source: derived
-- frameworks: GDPR Art. 5(1)(c)
-- param: least INTEGER = 3 | successful calls with an accepted form that are needed to say so

WITH uses AS (
    SELECT s.server_name, e.parent_tool AS tool, f.name, f.answered, f.capture_id, f.session_id, f.seq,
        row_number() OVER (PARTITION BY s.server_name, e.parent_tool, f.name ORDER BY e.asked_at DESC, f.capture_id DESC, f.seq DESC) AS latest
    FROM store_elicitation_fields f
    JOIN store_elicitations e USING (capture_id, seq, item)
    JOIN store_sessions s ON s.session_id = f.session_id
    JOIN store_captures k ON k.capture_id = f.capture_id AND k.content_level = 'full'
    JOIN store_calls c ON c.capture_id = e.capture_id AND c.seq = e.root_seq
    WHERE e.kind = 'elicitation' AND e.outcome = 'accept' AND c.outcome = 'ok' AND e.tier IN ('explicit', 'deduced') AND e.parent_tool IS NOT NULL
)
SELECT any_value(capture_id) FILTER (latest = 1) AS capture_id, any_value(session_id) FILTER (latest = 1) AS session_id,
    any_value(seq) FILTER (latest = 1) AS seq, name AS subject,
    'The field ' || name || ' of ' || tool || ' was left empty in all ' || count(*) || ' accepted forms, and the calls succeeded.' AS message,
    json_object('field', name, 'tool', tool, 'server', server_name, 'forms', count(*)) AS evidence
FROM uses
GROUP BY server_name, tool, name
HAVING count(*) >= $least AND NOT bool_or(answered)
