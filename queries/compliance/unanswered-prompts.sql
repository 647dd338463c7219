-- id: unanswered-prompts
-- title: Unanswered prompts
-- question: Which prompts did nobody answer, why did they end, and how long did they stand open?
-- frameworks: EU AI Act Art. 14, ISO 27001 A.8.15

SELECT
    e.asked_at,
    s.server_name AS server,
    e.parent_tool AS tool,
    s.client_name AS client,
    e.message AS question,
    e.outcome,
    e.detail AS why,
    (epoch_us(coalesce(e.closed_at, s.ended_at)) - epoch_us(e.asked_at)) / 1000 AS open_ms,
    e.late_action,
    e.tier,
    e.session_id AS session,
    e.seq
FROM elicitations e
LEFT JOIN sessions s ON s.session_id = e.session_id
WHERE e.kind = 'elicitation' AND e.outcome NOT IN ('accept', 'decline', 'cancel', 'completed', 'retried')
ORDER BY e.asked_at, e.session_id, e.seq, e.item
