-- id: url_required
-- title: Prompts that rode on an error
-- why: the prompts of error -32042 are answered by a page and a retry, and are counted apart

SELECT s.server_name AS server, e.parent_tool AS tool, e.outcome, count(*) AS n
FROM elicitations e
LEFT JOIN sessions s USING (session_id)
WHERE e.kind = 'elicitation' AND e.carriage = 'url_required'
GROUP BY ALL
ORDER BY ALL
