-- id: HTP-007
-- title: One message on two streams
-- severity: violation
-- confidence: medium
-- party: server
-- revisions: 2025-03-26, 2025-06-18, 2025-11-25
-- needs: #http
-- why: A message belongs to one stream; on two of them a client handles it twice, and asks its user twice.
-- fix: Send each message on one stream only; deliver again only what a `Last-Event-ID` asks for.
-- source: 2025-11-25 basic/transports:159
-- frameworks: MCP conformance

WITH sent AS (
    SELECT m.capture_id, m.session_id, m.seq, m.channel, m.kind, m.method, m.rpc_id, m.rpc_id_type,
        first_value(m.seq) OVER same AS first_seq, first_value(m.channel) OVER same AS first_channel
    FROM traffic m
    JOIN web w ON w.capture_id = m.capture_id AND w.exchange = m.channel AND w.last_event_id IS NULL
    WHERE m.direction = 's2c' AND m.stream IS NOT NULL AND m.kind IN ('request', 'result', 'error')
        AND m.rpc_id_type IN ('integer', 'string') AND m.rpc_id <> 'server-error' AND m.raw IS NOT NULL
    WINDOW same AS (PARTITION BY m.session_id, m.kind, m.rpc_id_type, m.rpc_id, md5(m.raw) ORDER BY m.seq)
)
SELECT s.capture_id, s.session_id, s.seq, coalesce(s.method, 'answer') AS subject,
    'The server sent ' || coalesce(s.method || ' ', 'the answer to ') || rid(s.rpc_id, s.rpc_id_type)
        || ' on a second stream.' AS message,
    json_object('first_seq', s.first_seq, 'first_exchange', s.first_channel, 'exchange', s.channel) AS evidence
FROM sent s
WHERE s.channel <> s.first_channel AND (s.kind = 'request' OR (
    SELECT count(*) FROM exchanges x WHERE x.session_id = s.session_id AND x.direction = 'c2s'
        AND x.rpc_id = s.rpc_id AND x.rpc_id_type = s.rpc_id_type
) = 1)
