-- id: LEK-002
-- title: A secret that a user gave in a prompt comes back
-- severity: warning
-- confidence: high
-- party: either
-- revisions: all
-- needs: #redactions
-- overrides: severity
-- why: The user gave it for one purpose. From a result or another call it reaches the model, its logs, and whoever
--   reads them.
-- fix: Use the secret where it was asked for, and return nothing of it.
-- source: 2025-11-25 client/elicitation:632; 2026-07-28 server/tools:399
-- frameworks: CWE-200, GDPR Art. 5(1)(b), ISO 27001 A.5.17

WITH given AS (
    SELECT r.capture_id, r.fingerprint, r.kind, min(r.seq) AS seq, arg_min(r.place, r.seq) AS place, arg_min(e.parent_tool, r.seq) AS tool,
        arg_min(e.seq, r.seq) AS prompt_seq
    FROM redactions r
    JOIN elicitations e ON e.capture_id = r.capture_id AND e.answered_seq = r.seq AND e.kind = 'elicitation'
    WHERE r.fingerprint IS NOT NULL AND r.direction = 'c2s'
        AND (contains(r.place, '/content') AND (starts_with(r.place, '/result/content') OR starts_with(r.place, '/params/inputResponses/')))
    GROUP BY ALL
), back AS (
    SELECT g.*, t.seq AS back_seq, t.session_id, r.place AS back_place, t.direction, t.kind AS message_kind, t.method, x.tool AS back_tool, x.method AS back_method
    FROM given g
    JOIN redactions r ON r.capture_id = g.capture_id AND r.fingerprint = g.fingerprint AND r.seq > g.seq
    JOIN lines t ON t.capture_id = r.capture_id AND t.seq = r.seq
    LEFT JOIN exchanges x ON x.capture_id = t.capture_id AND x.answer_seq = t.seq
    WHERE t.direction = 's2c' OR (t.method IN ('tools/call', 'prompts/get', 'resources/read') AND starts_with(r.place, '/params/arguments'))
)
SELECT capture_id, session_id, min(back_seq) AS seq, kind AS subject,
    'A secret (' || kind || ') that the user gave in a prompt' || coalesce(' of ' || any_value(tool), '') || ' came back '
        || CASE WHEN arg_min(method, back_seq) = 'notifications/message' THEN 'in a log message.'
            WHEN arg_min(direction, back_seq) = 'c2s' THEN 'in the arguments of a call.'
            ELSE 'in ' || coalesce('a result of ' || coalesce(arg_min(back_tool, back_seq), arg_min(back_method, back_seq)), 'a message of the server') || '.' END AS message,
    json_object('fingerprint', fingerprint, 'kind', kind, 'prompt_seq', any_value(prompt_seq),
        'path', list_concat([any_value(json_object('seq', seq, 'place', place))],
            list(json_object('seq', back_seq, 'place', back_place, 'method', coalesce(method, back_method)) ORDER BY back_seq)[1:10])) AS evidence,
    CASE WHEN bool_or(method = 'notifications/message') THEN 'violation' END AS severity
FROM back
GROUP BY capture_id, session_id, fingerprint, kind
