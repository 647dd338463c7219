-- id: ELI-028
-- title: An answer after the call had ended
-- severity: warning
-- confidence: high
-- party: either
-- revisions: 2025-06-18, 2025-11-25
-- needs: #prompts
-- when: orphans: kind = 'answer_after_call_end'
-- why: The user believes that they decided something. The call was over.
-- fix: Cancel the prompt with its call, and close the form when that comes.
-- source: derived
-- frameworks: EU AI Act Art. 14

SELECT o.capture_id, o.session_id, o.seq, coalesce(o.method, o.rpc_id, '') AS subject,
    'A prompt was answered after its call had ended or was cancelled.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'detail', o.detail) AS evidence
FROM orphans o
WHERE o.kind = 'answer_after_call_end'
