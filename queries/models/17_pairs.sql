-- id: pairs
-- title: Requests and the answers that name them
-- table: m_pairs
-- why: an exchange is keyed by session, sender, type of id and id; over HTTP an answer in the exchange of its request
--   belongs to that request. When an id is used again while its request is still open, nobody can tell whose the
--   answer is, and nothing is paired

WITH requests AS (
    SELECT capture_id, session_id, seq, channel, direction AS asker, rpc_id_type, rpc_id
    FROM m_lines
    WHERE kind = 'request'
), answers AS (
    SELECT capture_id, session_id, seq, channel, CASE direction WHEN 'c2s' THEN 's2c' ELSE 'c2s' END AS asker, rpc_id_type, rpc_id
    FROM m_lines
    WHERE kind IN ('result', 'error') AND rpc_id IS NOT NULL
), same AS (
    SELECT DISTINCT r.session_id, r.channel, r.asker, r.rpc_id_type, r.rpc_id
    FROM requests r
    SEMI JOIN answers a ON a.session_id = r.session_id AND a.channel = r.channel AND a.asker = r.asker
        AND a.rpc_id_type = r.rpc_id_type AND a.rpc_id = r.rpc_id
    WHERE r.channel > 0
), traffic_of AS (
    SELECT *, true AS asks FROM requests
    UNION ALL
    SELECT *, false AS asks FROM answers
), keyed AS (
    SELECT b.session_id, b.asker, b.rpc_id_type, b.rpc_id, coalesce(s.channel, 0) AS within, b.seq, b.asks
    FROM traffic_of b
    LEFT JOIN same s ON s.session_id = b.session_id AND s.channel = b.channel AND s.asker = b.asker
        AND s.rpc_id_type = b.rpc_id_type AND s.rpc_id = b.rpc_id
), counted AS (
    SELECT session_id, asker, rpc_id_type, rpc_id, within,
        count(*) FILTER (asks) AS n,
        min(seq) FILTER (asks) AS seq,
        min(seq) FILTER (NOT asks) AS answer_seq,
        count(*) FILTER (NOT asks) AS answers
    FROM keyed
    GROUP BY ALL
), -- almost every id is used once, and answered after that: there is nothing to put in order
plain AS (
    SELECT * FROM counted WHERE n = 0 OR (n = 1 AND coalesce(answer_seq > seq, true))
), numbered AS (
    SELECT k.*, count(*) FILTER (asks) OVER (PARTITION BY session_id, asker, rpc_id_type, rpc_id, within ORDER BY seq) AS n
    FROM keyed k
    SEMI JOIN (SELECT * FROM counted WHERE n > 1 OR (n = 1 AND answer_seq <= seq)) USING (session_id, asker, rpc_id_type, rpc_id, within)
), grouped AS (
    SELECT session_id, asker, rpc_id_type, rpc_id, within, n,
        min(seq) FILTER (asks) AS seq,
        min(seq) FILTER (NOT asks) AS answer_seq,
        count(*) FILTER (NOT asks) AS answers
    FROM numbered
    GROUP BY ALL
)
SELECT g.* EXCLUDE (asker),
    g.asker AS direction,
    coalesce(bool_or(g.seq IS NOT NULL AND g.answers = 0 AND c.seq IS NULL) OVER earlier, false) AS contested,
    lead(g.seq) OVER (PARTITION BY g.session_id, g.asker, g.rpc_id_type, g.rpc_id, g.within ORDER BY g.n) AS reused_seq
FROM grouped g
LEFT JOIN m_cancels c ON c.session_id = g.session_id AND c.seq = g.seq
WINDOW earlier AS (
    PARTITION BY g.session_id, g.asker, g.rpc_id_type, g.rpc_id, g.within ORDER BY g.n
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
)
UNION ALL BY NAME
SELECT * EXCLUDE (asker), asker AS direction, false AS contested FROM plain
