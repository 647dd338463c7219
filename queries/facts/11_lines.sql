-- id: session_lines
-- title: Envelopes with their session
-- kind: view
-- table: lines
-- why: as `traffic`, for rules that read no text: it joins no messages

SELECT l.*, s.protocol AS revision, s.handshake, s.lost_bytes
FROM m_lines l
JOIN sessions s ON s.session_id = l.session_id
