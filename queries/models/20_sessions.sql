-- id: sessions
-- title: Sessions
-- table: sessions
-- why: who spoke with whom, in which revision, with which capabilities, and how it ended

SELECT
    s.capture_id, s.session_id, s.first_seq, s.last_seq, c.transport,
    coalesce(h.server_name, c.name, regexp_extract(c.cmd[-1], '[^/\\]+$'), c.upstream) AS server_name,
    h.server_version, h.client_name, h.client_version,
    coalesce(h.protocol, p.protocol) AS protocol,
    TRY_CAST(h.client_capabilities AS JSON) AS client_capabilities,
    TRY_CAST(h.server_capabilities AS JSON) AS server_capabilities,
    nullif(s.skey, '') AS session_header,
    s.started_at, s.ended_at, e.end_reason,
    CASE WHEN s.next_seq IS NULL THEN c.exit_code END AS exit_code,
    CASE WHEN s.next_seq IS NULL THEN c.exit_signal END AS exit_signal,
    coalesce(h.handshake, false) AS handshake,
    s.messages, c.lost_bytes
FROM m_spans s
JOIN captures c ON c.capture_id = s.capture_id
JOIN m_ends e ON e.session_id = s.session_id
LEFT JOIN m_handshakes h ON h.session_id = s.session_id
LEFT JOIN (
    SELECT k.capture_id, k.skey, max(f.protocol_header) AS protocol
    FROM http_facts f
    JOIN m_channels k ON k.capture_id = f.capture_id AND k.channel = f.exchange
    WHERE f.protocol_header IS NOT NULL
    GROUP BY ALL
) p ON p.capture_id = s.capture_id AND p.skey = s.skey
