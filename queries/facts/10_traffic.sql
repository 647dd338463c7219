-- id: traffic
-- title: Messages with their session
-- kind: view
-- table: traffic
-- why: rules about single messages need the session and what is known of it

SELECT
    m.*,
    coalesce(h.session_id, a.session_id, m.capture_id || '.1') AS session_id,
    coalesce(h.protocol, a.protocol) AS revision,
    coalesce(h.handshake, a.handshake, false) AS handshake,
    coalesce(h.lost_bytes, a.lost_bytes, 0) AS lost_bytes
FROM messages m
LEFT JOIN (
    SELECT capture_id, session_header, arg_min(session_id, first_seq) AS session_id, arg_min(protocol, first_seq) AS protocol,
        arg_min(handshake, first_seq) AS handshake, arg_min(lost_bytes, first_seq) AS lost_bytes
    FROM sessions
    WHERE session_header IS NOT NULL
    GROUP BY ALL
) h ON h.capture_id = m.capture_id AND h.session_header = m.session_header
ASOF LEFT JOIN sessions a ON a.capture_id = m.capture_id AND a.first_seq <= m.seq
