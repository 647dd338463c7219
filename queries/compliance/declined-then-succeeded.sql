-- id: declined-then-succeeded
-- title: Declines followed by a success
-- question: Which calls succeeded although the user had declined a question of theirs, and what did they return?
-- frameworks: GDPR Art. 7(3), EU AI Act Art. 14

SELECT
    e.answered_at AS declined_at,
    c.ended_at AS succeeded_at,
    s.server_name AS server,
    c.tool,
    s.client_name AS client,
    e.message AS question,
    count(*) FILTER (later.outcome = 'accept') AS accepted_afterwards,
    e.tier,
    e.confidence,
    left(any_value(m.raw), 500) AS result,
    e.session_id AS session,
    e.seq
FROM elicitations e
JOIN calls c ON c.capture_id = e.capture_id AND c.seq = e.root_seq AND c.outcome = 'ok'
LEFT JOIN sessions s ON s.session_id = e.session_id
LEFT JOIN messages m ON m.capture_id = c.capture_id AND m.seq = c.end_seq
LEFT JOIN elicitations later ON later.capture_id = e.capture_id AND later.root_seq = e.root_seq AND later.seq > e.answered_seq
WHERE e.kind = 'elicitation' AND e.outcome = 'decline' AND e.tier IN ('explicit', 'deduced', 'inferred')
GROUP BY ALL
ORDER BY declined_at, session, e.seq
