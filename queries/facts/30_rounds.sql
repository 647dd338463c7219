-- id: rounds
-- title: A leg that asked for input, with the retry that followed
-- kind: table
-- table: rounds
-- needs: #asks
-- why: since 2026-07-28 a prompt is answered by sending the call again; many rules compare the two

WITH legs AS (
    SELECT c.capture_id, c.session_id, c.seq AS root_seq, c.method, c.tool, generate_subscripts(c.legs, 1) AS n,
        unnest(c.legs).seq AS seq, len(c.legs) AS legs
    FROM calls c
    WHERE len(c.legs) > 1
), pairs AS (
    SELECT *, lead(seq) OVER (PARTITION BY capture_id, root_seq ORDER BY n) AS retry_seq
    FROM legs
)
SELECT p.*, a.seq AS answer_seq, a.state AS state_issued, a.input_keys AS keys_issued,
    q.rpc_id, q.rpc_id_type, r.rpc_id AS retry_id, r.rpc_id_type AS retry_id_type, r.state AS state_sent, r.input_keys AS keys_sent
FROM pairs p
JOIN exchanges x ON x.capture_id = p.capture_id AND x.seq = p.seq AND x.result_type = 'input_required'
JOIN messages q ON q.capture_id = p.capture_id AND q.seq = p.seq
JOIN messages a ON a.capture_id = p.capture_id AND a.seq = x.answer_seq
JOIN messages r ON r.capture_id = p.capture_id AND r.seq = p.retry_seq
WHERE p.retry_seq IS NOT NULL
