-- id: PRM-004
-- title: A call that went on with what it knew long ago
-- severity: info
-- confidence: medium
-- party: server
-- revisions: all
-- needs: #prompts
-- why: Between the question and the answer the world went on: the branch moved, the balance changed. The user
--   agreed to what the form showed.
-- fix: Look again at what the form was made from before acting on its answer; say in the form how long it holds.
-- source: derived
-- frameworks: CWE-367, EU AI Act Art. 14
-- param: threshold_s INTEGER = 600 | how long a form may stand open before its call is taken to be stale, in seconds

SELECT p.capture_id, p.session_id, p.answered_seq AS seq, coalesce(p.parent_tool, 'elicitation/create') AS subject,
    'The form' || coalesce(' of ' || p.parent_tool, '') || ' stood open for ' || spell(p.latency_us) || ', and the call then went on and succeeded.' AS message,
    json_object('rpc_id', p.wire_id, 'prompt_seq', p.seq, 'open_ms', p.latency_us / 1000, 'call_seq', c.seq) AS evidence
FROM prompts p
JOIN calls c ON c.capture_id = p.capture_id AND c.seq = p.root_seq
WHERE p.kind = 'elicitation' AND p.mode = 'form' AND p.outcome = 'accept' AND c.outcome = 'ok' AND p.tier IN ('explicit', 'deduced', 'inferred')
    AND p.latency_us > $threshold_s * 1000000
