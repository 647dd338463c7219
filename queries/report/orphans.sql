-- id: orphans
-- title: What was left hanging
-- why: requests without answers, answers without requests, questions that nobody came back to
-- param: most INTEGER = 300 | rows that are shown

SELECT o.kind, o.session_id AS session, o.seq, o.rpc_id, o.method, o.direction, o.detail, s.server_name AS server, count(*) OVER () AS total
FROM orphans o
LEFT JOIN sessions s USING (session_id)
ORDER BY o.kind, o.session_id, o.seq, o.rpc_id
LIMIT $most
