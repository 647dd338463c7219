-- id: HTP-010
-- title: A request from the server, or an answer from the client
-- severity: violation
-- confidence: high
-- party: either
-- revisions: 2026-07-28
-- why: Since 2026-07-28 only clients ask and only servers answer; a prompt travels in a result.
-- fix: Server: ask for input with `resultType: input_required`. Client: answer in the retry.
-- source: 2026-07-28 patterns/index:20; basic/transports/streamable-http:81,117; basic/transports/stdio:36,55
-- frameworks: MCP conformance

SELECT m.capture_id, m.session_id, m.seq, coalesce(m.method, m.kind) AS subject,
    CASE m.direction WHEN 's2c' THEN 'The server sent the request ' || m.method || '.'
        ELSE 'The client sent an answer (' || m.kind || ').' END AS message,
    json_object('direction', m.direction, 'kind', m.kind, 'rpc_id', rid(m.rpc_id, m.rpc_id_type)) AS evidence
FROM traffic m
WHERE (m.direction = 's2c' AND m.kind = 'request' AND m.method IS NOT NULL)
    OR (m.direction = 'c2s' AND m.kind IN ('result', 'error'))
