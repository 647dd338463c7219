-- id: ELI-035
-- title: A prompt timed out and was not cancelled
-- severity: warning
-- confidence: medium
-- party: server
-- revisions: 2025-06-18, 2025-11-25
-- needs: #prompts
-- when: elicitations: outcome = 'timeout'
-- why: The server no longer listens, and the form stays on the user's screen.
-- fix: Send `notifications/cancelled` when a prompt times out.
-- source: 2025-11-25 basic/lifecycle:249
-- frameworks: MCP conformance

SELECT e.capture_id, e.session_id, e.seq, coalesce(e.parent_tool, 'elicitation/create') AS subject,
    'A prompt timed out, and the client was not told.' AS message,
    json_object('rpc_id', e.wire_id, 'detail', e.detail, 'closed_seq', e.closed_seq) AS evidence
FROM prompts e
JOIN exchanges x ON x.capture_id = e.capture_id AND x.seq = e.seq
JOIN exchanges p ON p.capture_id = e.capture_id AND p.seq = e.parent_seq
WHERE e.kind = 'elicitation' AND e.carriage = 'request' AND e.outcome = 'timeout' AND x.cancelled_seq IS NULL AND p.cancelled_seq IS NULL
    AND e.tier IN ('explicit', 'deduced')
