-- id: sessions
-- title: Sessions
-- why: what was recorded
-- param: most INTEGER = 300 | sessions that are shown, the latest ones

SELECT s.session_id AS session, s.server_name AS server, s.server_version, s.client_name AS client, s.client_version, s.protocol, s.transport, s.started_at,
    epoch_us(s.ended_at) - epoch_us(s.started_at) AS duration_us, s.messages, s.end_reason, coalesce(c.n, 0) AS calls, coalesce(e.n, 0) AS prompts, coalesce(f.n, 0) AS findings
FROM sessions s
LEFT JOIN (SELECT session_id, count(*) AS n FROM calls GROUP BY ALL) c USING (session_id)
LEFT JOIN (SELECT session_id, count(*) AS n FROM elicitations GROUP BY ALL) e USING (session_id)
LEFT JOIN (SELECT session_id, count(*) AS n FROM findings GROUP BY ALL) f USING (session_id)
ORDER BY s.started_at DESC, s.session_id DESC
LIMIT $most
