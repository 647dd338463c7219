-- id: outcomes
-- title: Outcomes by tool
-- why: how people answer, where, and how often nobody does

SELECT s.server_name AS server, e.parent_tool AS tool, e.outcome, count(*) AS n
FROM elicitations e
LEFT JOIN sessions s USING (session_id)
WHERE e.kind = 'elicitation' AND e.carriage <> 'url_required'
GROUP BY ALL
ORDER BY ALL
