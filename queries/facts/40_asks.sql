-- id: asks
-- title: Results that asked for input, with the request that they answered
-- kind: table
-- table: asks
-- needs: #asks
-- why: whether a retry is right is judged against everything that was asked in its session, not only against what it was linked to

SELECT x.capture_id, x.session_id, x.seq, x.method, x.tool, x.rpc_id, x.rpc_id_type, x.answer_seq, q.params_hash, a.state, a.input_keys
FROM exchanges x
JOIN messages q ON q.capture_id = x.capture_id AND q.seq = x.seq
JOIN messages a ON a.capture_id = x.capture_id AND a.seq = x.answer_seq
WHERE x.direction = 'c2s' AND x.result_type = 'input_required'
