-- id: traffic
-- title: Messages with their session
-- kind: view
-- table: traffic
-- why: rules about single messages need the session and what is known of it; what a stream delivered twice stands once

SELECT m.*, l.session_id, s.protocol AS revision, s.handshake, s.lost_bytes
FROM messages m
JOIN m_lines l ON l.capture_id = m.capture_id AND l.seq = m.seq
JOIN sessions s ON s.session_id = l.session_id
