-- id: findings_by_rule
-- title: Findings by rule
-- why: one rule is one thing to mend, however often it was found

SELECT rule, severity, confidence, count(*) AS n, count(DISTINCT session_id) AS sessions
FROM findings
GROUP BY ALL
ORDER BY rule, severity, confidence
