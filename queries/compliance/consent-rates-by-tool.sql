-- id: consent-rates-by-tool
-- title: Consent rates by tool
-- question: How often do people accept, decline or close the prompts of each tool, and how sure are these rates?
-- frameworks: EU AI Act Art. 14, ISO 27001 A.5.36
-- param: least INTEGER = 1 | leave out tools with fewer answered prompts

WITH counted AS (
    SELECT s.server_name AS server, e.parent_tool AS tool,
        count(*) AS asked,
        count(*) FILTER (e.outcome = 'accept') AS accepted,
        count(*) FILTER (e.outcome = 'decline') AS declined,
        count(*) FILTER (e.outcome = 'cancel') AS cancelled,
        count(*) FILTER (e.outcome IN ('accept', 'decline', 'cancel')) AS n
    FROM elicitations e
    LEFT JOIN sessions s ON s.session_id = e.session_id
    WHERE e.kind = 'elicitation' AND e.carriage <> 'url_required'
    GROUP BY ALL
), rated AS (
    SELECT *, accepted / nullif(n, 0) AS rate, 1.959963984540054 AS z
    FROM counted
)
SELECT server, tool, asked, n AS answered, accepted, declined, cancelled,
    rate AS accept_rate,
    greatest(0, (rate + z * z / (2 * n) - z * sqrt(rate * (1 - rate) / n + z * z / (4.0 * n * n))) / (1 + z * z / n)) AS accept_low,
    least(1, (rate + z * z / (2 * n) + z * sqrt(rate * (1 - rate) / n + z * z / (4.0 * n * n))) / (1 + z * z / n)) AS accept_high,
    declined / nullif(n, 0) AS decline_rate,
    cancelled / nullif(n, 0) AS cancel_rate
FROM rated
WHERE n >= $least
ORDER BY answered DESC, server, tool
