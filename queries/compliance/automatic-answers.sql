-- id: automatic-answers
-- title: Answers that no person can have given
-- question: Which clients answer prompts faster than they can be read, and how often?
-- frameworks: EU AI Act Art. 14, GDPR Art. 7
-- param: floor_ms INTEGER = 400 | faster than this no person answers anything, in milliseconds
-- param: characters_s INTEGER = 120 | characters a second that no person reads

SELECT
    s.client_name AS client,
    s.client_version,
    count(*) AS answered,
    count(*) FILTER (e.latency_us < limit_us) AS too_fast,
    count(*) FILTER (e.latency_us < limit_us) / count(*) AS share,
    median(e.latency_us) / 1000 AS median_ms,
    count(*) FILTER (e.latency_us < limit_us AND e.outcome = 'accept') AS accepted_too_fast
FROM (
    SELECT *, greatest($floor_ms * 1000, least(length(coalesce(message, '')), 2000) * 1000000 // $characters_s) AS limit_us
    FROM elicitations
    WHERE kind = 'elicitation' AND outcome IN ('accept', 'decline') AND latency_us >= 0
) e
LEFT JOIN sessions s ON s.session_id = e.session_id
GROUP BY ALL
ORDER BY share DESC, answered DESC, client
