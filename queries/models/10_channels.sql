-- id: channels
-- title: HTTP exchanges and the session that each belongs to
-- table: m_channels
-- why: a session over HTTP is known by a header, or on the old transport by a parameter of the path or of the
--   endpoint event; the request that opens it has neither, but its answer does

WITH named AS (
    SELECT capture_id, exchange AS channel, session_header AS skey, path, http_method, truncated, seq FROM http_facts
    UNION ALL BY NAME
    SELECT e.capture_id, h.exchange AS channel, regexp_extract(e.text, '[?&]session_?[iI]d=([^&#\s]+)', 1) AS skey, e.seq
    FROM events e
    JOIN http_facts h ON h.capture_id = e.capture_id AND h.seq = e.seq
    WHERE e.event = 'http' AND length(e.text) < 2000 AND e.text LIKE '%session%'
)
SELECT
    capture_id,
    channel,
    coalesce(
        max(skey) FILTER (skey <> ''),
        max(regexp_extract(path, '[?&]session_?[iI]d=([^&#\s]+)', 1)) FILTER (regexp_matches(path, '[?&]session_?[iI]d=.')),
        ''
    ) AS skey,
    max(http_method) AS http_method,
    min(seq) FILTER (truncated) AS truncated_seq
FROM named
GROUP BY ALL
