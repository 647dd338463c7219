-- id: call-evidence
-- title: Evidence for one call
-- question: What exactly passed in one call, record by record, with the hash of each in the chain?
-- frameworks: EU AI Act Art. 12, ISO 27001 A.5.28, SOC 2 CC7.3
-- param: session VARCHAR | the session, as `auditor sessions` names it
-- param: seq BIGINT | the call, by the seq that `auditor calls` gives

WITH the_call AS (
    SELECT * FROM calls WHERE session_id = $session AND seq = $seq
), parts AS (
    SELECT c.capture_id, leg.leg.seq AS seq, 'request' AS part, NULL AS note
    FROM the_call c, unnest(c.legs) AS leg(leg)
    UNION ALL
    SELECT x.capture_id, x.answer_seq, 'answer', NULL
    FROM the_call c, unnest(c.legs) AS leg(leg)
    JOIN exchanges x ON x.capture_id = c.capture_id AND x.seq = leg.leg.seq
    WHERE x.answer_seq IS NOT NULL
    UNION ALL
    SELECT x.capture_id, x.cancelled_seq, 'cancellation', x.cancel_reason
    FROM the_call c, unnest(c.legs) AS leg(leg)
    JOIN exchanges x ON x.capture_id = c.capture_id AND x.seq = leg.leg.seq
    WHERE x.cancelled_seq IS NOT NULL
    UNION ALL
    SELECT e.capture_id, e.seq, 'prompt', e.tier || ' (' || round(e.confidence, 2) || '): ' || array_to_string(e.evidence, '; ')
    FROM the_call c
    JOIN elicitations e ON e.capture_id = c.capture_id AND e.root_seq = c.seq
    UNION ALL
    SELECT e.capture_id, e.answered_seq, 'answer to the prompt', e.outcome || coalesce(': ' || e.detail, '')
    FROM the_call c
    JOIN elicitations e ON e.capture_id = c.capture_id AND e.root_seq = c.seq
    WHERE e.answered_seq IS NOT NULL
    UNION ALL
    SELECT f.capture_id, f.seq, 'finding ' || f.rule, f.message
    FROM the_call c
    JOIN findings f ON f.capture_id = c.capture_id AND (f.seq BETWEEN c.seq AND coalesce(c.end_seq, c.seq))
)
SELECT p.seq, m.ts AS at, p.part, m.direction, m.method, m.rpc_id, p.note, m.raw AS text, m.hash
FROM parts p
LEFT JOIN messages m ON m.capture_id = p.capture_id AND m.seq = p.seq
ORDER BY p.seq, p.part
