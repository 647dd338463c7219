-- id: survival
-- title: Share of prompts still unanswered over time
-- why: the Kaplan-Meier estimate counts what nobody answered as open for as long as it was, instead of leaving it out

WITH spans AS (
    SELECT
        greatest(0, CASE WHEN e.outcome IN ('accept', 'decline', 'cancel') THEN e.latency_us
            ELSE epoch_us(coalesce(e.closed_at, s.ended_at, e.asked_at)) - epoch_us(e.asked_at) END) // 1000 AS at_ms,
        e.outcome IN ('accept', 'decline', 'cancel') AS answered
    FROM elicitations e
    LEFT JOIN sessions s USING (session_id)
    WHERE e.kind = 'elicitation' AND e.carriage <> 'url_required' AND e.outcome NOT IN ('unsupported', 'superseded')
        AND NOT (e.outcome IN ('accept', 'decline', 'cancel') AND e.latency_us IS NULL)
), steps AS (
    SELECT at_ms, count(*) FILTER (answered) AS answered, count(*) FILTER (NOT answered) AS censored FROM spans GROUP BY at_ms
), risk AS (
    SELECT *, sum(answered + censored) OVER (ORDER BY at_ms DESC) AS at_risk FROM steps
)
SELECT at_ms, answered::BIGINT AS answered, censored::BIGINT AS censored, at_risk::BIGINT AS at_risk,
    CASE WHEN bool_or(answered = at_risk) OVER w THEN 0 ELSE exp(sum(ln(1 - answered / at_risk)) FILTER (answered < at_risk) OVER w) END AS surviving
FROM risk
WINDOW w AS (ORDER BY at_ms ROWS UNBOUNDED PRECEDING)
ORDER BY at_ms
