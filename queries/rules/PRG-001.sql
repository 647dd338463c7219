-- id: PRG-001
-- title: Progress for a token that nobody gave
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- needs: notifications/progress
-- overrides: confidence
-- why: Progress without a request tells a person that something runs which they did not start.
-- fix: Send progress only with the token of a request that was made.
-- source: 2025-11-25 progress:60
-- frameworks: MCP conformance

SELECT t.capture_id, t.session_id, min(t.seq) AS seq, coalesce(t.token, '') AS subject,
    count(*) || ' progress notification(s) name a token that no request gave.' AS message,
    json_object('token', rid(t.token, t.token_type), 'direction', t.direction, 'count', count(*)) AS evidence,
    unseen(max(t.lost_bytes), bool_and(t.handshake)) AS confidence
FROM lines t
ANTI JOIN exchanges x ON x.capture_id = t.capture_id AND x.direction <> t.direction AND x.token = t.token
    AND x.token_type = t.token_type AND x.seq < t.seq
WHERE t.method = 'notifications/progress' AND t.kind = 'notification'
GROUP BY t.capture_id, t.session_id, t.token, t.token_type, t.direction
