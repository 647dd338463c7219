-- id: ELI-023
-- title: Asked again after a decline
-- severity: policy
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- overrides: confidence
-- when: elicitations: outcome = 'decline'
-- why: A question that comes back until it is accepted wears people down; the accept at the end is no consent.
-- fix: Take a decline for an answer, and end the call with what can be done without it.
-- source: 2025-11-25 client/elicitation:566; 2026-07-28 basic/patterns/mrtr:247 allows it
-- frameworks: GDPR Art. 7, EU AI Act Art. 14

WITH asked AS (
    SELECT *, lag(seq) OVER w AS before, lag(outcome) OVER w AS outcome_before, lag(closed_seq) OVER w AS closed_before
    FROM prompts
    WHERE kind = 'elicitation'
    WINDOW w AS (PARTITION BY session_id, fingerprint, root_seq, parent_tool ORDER BY seq, item)
)
SELECT a.capture_id, a.session_id, a.seq, coalesce(a.parent_tool, 'elicitation/create') AS subject,
    'The same question' || coalesce(' of ' || a.parent_tool, '') || ' was asked again after a decline, with no new call in between.' AS message,
    json_object('rpc_id', a.wire_id, 'declined_seq', a.before, 'prompt', cut(a.message, 200), 'outcome', a.outcome) AS evidence,
    CASE WHEN a.root_seq IS NULL OR a.tier = 'inferred' THEN 'medium' END AS confidence
FROM asked a
WHERE a.outcome_before = 'decline' AND a.closed_before < a.seq
    AND (a.root_seq IS NOT NULL OR NOT EXISTS (
        FROM exchanges x WHERE x.session_id = a.session_id AND x.direction = 'c2s' AND x.seq BETWEEN a.closed_before AND a.seq
            AND x.method IN ('tools/call', 'prompts/get', 'resources/read')))
