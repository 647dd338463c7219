-- id: lines
-- title: Messages with their session
-- table: m_lines
-- why: everything after this is said per session, and reads no text

SELECT m.* EXCLUDE (raw, raw_base64, hash, problems, lenient, duplicate_keys, last_event_id), s.session_id
FROM messages m
JOIN m_placed p ON p.capture_id = m.capture_id AND p.seq = m.seq
JOIN m_spans s ON s.capture_id = p.capture_id AND s.skey = p.skey AND s.run = p.run
