-- id: totals
-- title: The record in numbers
-- why: what a reader wants to know first

SELECT
    (SELECT count(*) FROM captures) AS captures,
    (SELECT count(*) FROM sessions) AS sessions,
    (SELECT count(DISTINCT server_name) FROM sessions) AS servers,
    (SELECT count(DISTINCT client_name) FROM sessions) AS clients,
    (SELECT count(*) FROM messages) AS messages,
    (SELECT count(*) FROM calls) AS calls,
    (SELECT count(*) FROM calls WHERE outcome = 'ok') AS calls_ok,
    (SELECT count(*) FROM elicitations WHERE kind = 'elicitation') AS prompts,
    (SELECT count(*) FROM elicitations WHERE kind <> 'elicitation') AS other_prompts,
    (SELECT count(*) FROM elicitations WHERE kind = 'elicitation' AND outcome IN ('accept', 'decline', 'cancel')) AS answered,
    (SELECT count(*) FROM elicitations WHERE kind = 'elicitation' AND tier IN ('explicit', 'deduced')) AS certain,
    (SELECT count(DISTINCT (capture_id, seq, item)) FROM elicitation_fields WHERE sensitive IS NOT NULL) AS secret_forms,
    (SELECT count(*) FROM redactions) AS secrets,
    (SELECT count(*) FROM orphans) AS orphans,
    (SELECT count(*) FROM findings) AS findings,
    (SELECT count(*) FROM findings WHERE severity = 'violation') AS violations,
    (SELECT min(started_at) FROM captures) AS first_at,
    (SELECT max(ts) FROM (SELECT max(ts) AS ts FROM messages UNION ALL SELECT max(ts) FROM events)) AS last_at
