-- id: ELI-027
-- title: A prompt still open when its call ended
-- severity: warning
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25
-- needs: #prompts
-- overrides: confidence
-- when: orphans: kind = 'prompt_open_at_call_end'
-- why: The form stands on a person's screen, and whatever they answer has no effect any more.
-- fix: Cancel the prompt before the call is answered.
-- source: derived
-- frameworks: EU AI Act Art. 14

SELECT o.capture_id, o.session_id, o.seq, coalesce(any_value(e.parent_tool), o.method, '') AS subject,
    'The call' || coalesce(' of ' || any_value(e.parent_tool), '') || ' ended while its prompt was still open.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'outcome', any_value(e.outcome), 'late_action', any_value(e.late_action), 'detail', o.detail) AS evidence,
    CASE WHEN any_value(e.tier) NOT IN ('explicit', 'deduced') THEN 'low' END AS confidence
FROM orphans o
LEFT JOIN elicitations e ON e.capture_id = o.capture_id AND e.seq = o.seq
LEFT JOIN exchanges q ON q.capture_id = o.capture_id AND q.seq = o.seq
LEFT JOIN exchanges p ON p.capture_id = e.capture_id AND p.seq = e.parent_seq
WHERE o.kind = 'prompt_open_at_call_end' AND (q.cancelled_seq IS NULL OR p.end_seq IS NULL OR q.cancelled_seq > p.end_seq)
GROUP BY o.capture_id, o.session_id, o.seq, o.method, o.rpc_id, o.rpc_id_type, o.detail
