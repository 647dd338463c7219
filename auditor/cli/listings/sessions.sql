SELECT
    s.session_id, s.capture_id, s.first_seq AS seq, s.first_seq AS item, s.transport,
    s.server_name AS server, s.server_version, s.client_name AS client, s.client_version, s.protocol,
    s.started_at AS moment, s.started_at, s.ended_at, s.end_reason AS outcome, s.exit_code, s.exit_signal, s.handshake,
    s.messages, s.lost_bytes, c.name, c.cmd, c.sealed, c.source, c.content_level, c.started_at AS capture_started,
    (SELECT count(*) FROM calls k WHERE k.session_id = s.session_id) AS calls,
    (SELECT count(*) FROM elicitations e WHERE e.session_id = s.session_id AND e.kind = 'elicitation') AS prompts,
    (SELECT count(*) FROM orphans o WHERE o.session_id = s.session_id) AS orphans,
    (SELECT count(*) FROM findings f WHERE f.session_id = s.session_id) AS findings
FROM sessions s JOIN captures c USING (capture_id)
