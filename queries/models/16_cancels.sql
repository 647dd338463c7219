-- id: cancels
-- title: Cancellations and the request that each names
-- table: m_cancels
-- why: a cancellation names the latest request of its sender with that id

SELECT c.session_id, r.seq, min(c.seq) AS cancelled_seq, min(c.ts) AS cancelled_ts, arg_min(c.reason, c.seq) AS cancel_reason
FROM (SELECT * FROM m_lines WHERE method = 'notifications/cancelled' AND ref IS NOT NULL) c
ASOF JOIN (SELECT * FROM m_lines WHERE kind = 'request') r
    ON r.session_id = c.session_id AND r.direction = c.direction AND r.rpc_id_type = c.ref_type AND r.rpc_id = c.ref
    AND c.seq > r.seq
GROUP BY ALL
