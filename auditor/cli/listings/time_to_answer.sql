-- Kaplan-Meier over the temporary table `prompts`: per group the times at which half and 95 % had answered (microseconds;
-- null when it never came to that), and how many were never answered. A prompt without an answer counts as open for as long as it was.
WITH times AS (
    SELECT
        key,
        CASE WHEN outcome IN ('accept', 'decline', 'cancel') THEN coalesce(latency_us, open_us) ELSE open_us END AS t,
        (outcome IN ('accept', 'decline', 'cancel'))::INTEGER AS answered
    FROM prompts
    WHERE outcome NOT IN ('unsupported', 'superseded') AND carriage <> 'url_required'
), steps AS (
    SELECT key, t, sum(answered) AS d, count(*) AS n FROM times GROUP BY ALL
), risk AS (
    SELECT *, sum(n) OVER (PARTITION BY key ORDER BY t DESC) AS at_risk FROM steps
), curve AS (
    SELECT
        key, t, d, n,
        sum(CASE WHEN d = at_risk THEN -1e9 ELSE ln(1 - d / at_risk) END) OVER (PARTITION BY key ORDER BY t) AS log_open
    FROM risk
)
SELECT
    key,
    min(t) FILTER (WHERE log_open <= ln(0.5) + 1e-9)::BIGINT AS median_us,
    min(t) FILTER (WHERE log_open <= ln(0.05) + 1e-9)::BIGINT AS p95_us,
    (sum(n) - sum(d))::BIGINT AS censored
FROM curve
GROUP BY key
