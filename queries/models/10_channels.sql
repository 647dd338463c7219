-- id: channels
-- title: HTTP exchanges and the session that each belongs to
-- table: m_channels
-- why: a session over HTTP is known by a header, or on the old transport by a parameter of the path or of the
--   endpoint event; the request that opens it has neither, but its answer does

WITH named AS (
    SELECT capture_id, exchange AS channel, session_header AS skey, path, http_method, truncated, seq FROM http_facts
    UNION ALL BY NAME
    SELECT capture_id, channel, regexp_extract(raw, '[?&]session_?[iI]d=([^&#\s]+)', 1) AS skey, seq
    FROM oddities
    WHERE channel > 0 AND length(raw) < 2000 AND raw LIKE '%session%'
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
