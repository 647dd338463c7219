-- id: PRM-001
-- title: Answered faster than a person can read
-- severity: policy
-- confidence: medium
-- party: client
-- revisions: all
-- needs: #prompts
-- why: Nobody read the question. A client that answers by itself records a consent that no person gave.
-- fix: Show every prompt to a person, or mark the client's answers as automatic and do not count them as consent.
-- source: 2025-11-25 client/elicitation:708
-- frameworks: EU AI Act Art. 14, GDPR Art. 7
-- param: floor_ms INTEGER = 400 | faster than this no person answers anything, in milliseconds
-- param: characters_s INTEGER = 120 | characters a second that no person reads (people read about 25)

SELECT capture_id, session_id, answered_seq AS seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'A prompt of ' || coalesce(length(p.message), 0) || ' characters was answered with ' || action || ' after ' || spell(latency_us) || '.' AS message,
    json_object('rpc_id', wire_id, 'prompt_seq', seq, 'latency_ms', latency_us / 1000, 'characters', coalesce(length(p.message), 0), 'action', action) AS evidence
FROM prompts p
WHERE kind = 'elicitation' AND action IN ('accept', 'decline') AND late_action IS NULL AND latency_us >= 0
    AND latency_us < greatest($floor_ms * 1000, least(coalesce(length(p.message), 0), 2000) * 1000000 // $characters_s)
