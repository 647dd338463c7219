-- id: ELI-026
-- title: A prompt outside any call
-- severity: warning
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25
-- needs: #prompts
-- overrides: confidence
-- when: orphans: kind = 'prompt_without_call'
-- why: The user is asked out of the blue, and nobody can say for what. What they answer belongs to no call on
--   record.
-- fix: Ask while a request of the client is open, or in a task that it started.
-- source: SEP-2260
-- frameworks: MCP conformance, GDPR Art. 7, EU AI Act Art. 14

SELECT o.capture_id, o.session_id, o.seq, o.method AS subject,
    'The server sent ' || coalesce(o.method, 'a prompt') || ' while no request of the client was open.' AS message,
    json_object('rpc_id', rid(o.rpc_id, o.rpc_id_type), 'detail', o.detail) AS evidence,
    unseen(s.lost_bytes, s.handshake) AS confidence
FROM orphans o
JOIN sessions s USING (session_id)
WHERE o.kind = 'prompt_without_call' AND coalesce(o.method, '') <> 'roots/list'
