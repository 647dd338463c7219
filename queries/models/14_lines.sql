-- id: lines
-- title: Messages with their session
-- table: m_lines
-- why: everything after this is said per session

SELECT m.* EXCLUDE (skey, run), s.session_id
FROM m_placed m
JOIN m_spans s ON s.capture_id = m.capture_id AND s.skey = m.skey AND s.run = m.run
