-- id: consent-register
-- title: Register of consents
-- question: Who was asked for what, in which call, what did they decide, and how sure is it that the question belongs to the call?
-- frameworks: GDPR Art. 7(1), EU AI Act Art. 12, EU AI Act Art. 14, ISO 27001 A.8.15
-- param: since TIMESTAMP = '1970-01-01' | decisions from this time on, UTC
-- param: until TIMESTAMP = '9999-12-31' | decisions before this time, UTC
-- param: server VARCHAR = '%' | name of the server; % stands for any text
-- param: tool VARCHAR = '%' | name of the tool; % stands for any text

SELECT
    coalesce(e.answered_at, e.closed_at) AS decided_at,
    e.outcome AS decision,
    s.server_name AS server,
    e.parent_tool AS tool,
    s.client_name AS client,
    e.mode,
    e.message AS question,
    e.url,
    coalesce(f.asked, []) AS fields_asked,
    coalesce(f.given, []) AS fields_given,
    e.latency_us / 1000 AS latency_ms,
    e.root_rpc_id AS call_id,
    c.outcome AS call_outcome,
    e.tier,
    e.confidence,
    e.session_id AS session,
    e.seq
FROM elicitations e
LEFT JOIN sessions s ON s.session_id = e.session_id
LEFT JOIN calls c ON c.capture_id = e.capture_id AND c.seq = e.root_seq
LEFT JOIN (
    SELECT capture_id, seq, item, list(name ORDER BY ordinal) AS asked, list(name ORDER BY ordinal) FILTER (answered) AS given
    FROM elicitation_fields
    GROUP BY ALL
) f ON f.capture_id = e.capture_id AND f.seq = e.seq AND f.item = e.item
WHERE e.kind = 'elicitation' AND e.outcome IN ('accept', 'decline', 'cancel')
    AND coalesce(e.answered_at, e.closed_at) >= $since AND coalesce(e.answered_at, e.closed_at) < $until
    AND coalesce(s.server_name, '') LIKE $server AND coalesce(e.parent_tool, '') LIKE $tool
ORDER BY decided_at, e.session_id, e.seq, e.item
