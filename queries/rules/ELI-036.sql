-- id: ELI-036
-- title: A prompt that stood open for long
-- severity: info
-- confidence: high
-- party: either
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- why: A person was not there, or did not know what to answer. The call and its resources waited.
-- fix: Set a timeout, and say in the form how long it holds.
-- source: 2025-11-25 basic/lifecycle:248
-- frameworks: ISO 27001 A.8.15
-- param: threshold_s INTEGER = 300 | how long a prompt may stand open, in seconds

WITH open AS (
    SELECT e.*, epoch_us(coalesce(e.answered_at, e.closed_at, s.ended_at)) - epoch_us(e.asked_at) AS open_us
    FROM prompts e
    JOIN sessions s USING (session_id)
    WHERE e.kind = 'elicitation' AND e.carriage <> 'url_required' AND e.outcome NOT IN ('unsupported', 'superseded')
)
SELECT capture_id, session_id, seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'A prompt stood open for ' || spell(open_us) || ' (' || outcome || ').' AS message,
    json_object('rpc_id', wire_id, 'open_ms', open_us / 1000, 'outcome', outcome, 'prompt', cut(open.message, 200)) AS evidence
FROM open
WHERE open_us > $threshold_s * 1000000
