-- id: parents
-- title: The call of each prompt
-- table: m_parents
-- why: certain or inferred, with the first leg of its chain

WITH said AS (
    SELECT c.session_id, c.seq, c.item,
        coalesce(c.tier, i.tier, 'ambiguous') AS tier,
        coalesce(c.parent_seq, i.parent_seq) AS parent_seq,
        CASE WHEN c.tier IN ('explicit', 'deduced') THEN 1.0 WHEN c.tier = 'none' THEN 0.0 ELSE coalesce(i.confidence, 0.0) END
            AS confidence,
        CASE WHEN c.tier IS NOT NULL THEN [c.evidence] ELSE coalesce(i.evidence, []) END AS evidence,
        CASE WHEN c.tier IS NOT NULL THEN CASE WHEN c.parent_seq IS NULL THEN [] ELSE [{'seq': c.parent_seq, 'weight': 1.0}] END
            ELSE coalesce(i.candidates, []) END AS candidates
    FROM m_certain c
    LEFT JOIN m_attributed i USING (session_id, seq, item)
), listed AS (
    SELECT session_id, seq, item, unnest(candidates) AS c, generate_subscripts(candidates, 1) AS place FROM said
), named AS (
    SELECT l.session_id, l.seq, l.item,
        list({'seq': coalesce(g.root_seq, l.c.seq), 'rpc_id': x.rpc_id, 'rpc_id_type': x.rpc_id_type, 'weight': l.c.weight}
            ORDER BY l.place) AS candidates
    FROM listed l
    LEFT JOIN m_legs g ON g.session_id = l.session_id AND g.seq = l.c.seq
    LEFT JOIN m_lines x ON x.session_id = l.session_id AND x.seq = coalesce(g.root_seq, l.c.seq)
    GROUP BY ALL
)
SELECT
    s.* EXCLUDE (candidates, evidence),
    CASE WHEN g.root_seq <> s.parent_seq THEN list_append(s.evidence, 'request ' || p.rpc_id || ' goes on with call ' || r.rpc_id)
        ELSE s.evidence END AS evidence,
    coalesce(n.candidates, []) AS candidates,
    p.rpc_id AS parent_rpc_id, p.rpc_id_type AS parent_rpc_id_type, p.method AS parent_method, p.tool AS parent_tool,
    coalesce(g.root_seq, s.parent_seq) AS root_seq, r.rpc_id AS root_rpc_id, r.rpc_id_type AS root_rpc_id_type
FROM said s
LEFT JOIN named n USING (session_id, seq, item)
LEFT JOIN m_legs g ON g.session_id = s.session_id AND g.seq = s.parent_seq
LEFT JOIN m_lines p ON p.session_id = s.session_id AND p.seq = s.parent_seq
LEFT JOIN m_lines r ON r.session_id = s.session_id AND r.seq = coalesce(g.root_seq, s.parent_seq)
