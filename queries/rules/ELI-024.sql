-- id: ELI-024
-- title: Asked again after a cancel
-- severity: info
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitations: outcome = 'cancel'
-- why: It is allowed, for the user only closed the form. How often it happens shows where forms get in the way.
-- fix: Nothing needs to be done; ask later, or say why it is asked again.
-- source: 2025-11-25 client/elicitation:567
-- frameworks: EU AI Act Art. 14

WITH asked AS (
    SELECT *, lag(seq) OVER w AS before, lag(outcome) OVER w AS outcome_before, lag(closed_seq) OVER w AS closed_before
    FROM prompts
    WHERE kind = 'elicitation' AND root_seq IS NOT NULL
    WINDOW w AS (PARTITION BY session_id, fingerprint, root_seq ORDER BY seq, item)
)
SELECT a.capture_id, a.session_id, a.seq, coalesce(a.parent_tool, 'elicitation/create') AS subject,
    'The same question' || coalesce(' of ' || a.parent_tool, '') || ' was asked again after a cancel.' AS message,
    json_object('rpc_id', a.wire_id, 'cancelled_seq', a.before, 'prompt', cut(a.message, 200), 'outcome', a.outcome) AS evidence
FROM asked a
WHERE a.outcome_before = 'cancel' AND a.closed_before < a.seq
