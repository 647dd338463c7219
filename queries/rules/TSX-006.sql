-- id: TSX-006
-- title: A failed task that does not say how, or did not fail
-- severity: violation
-- confidence: high
-- party: server
-- revisions: ext-tasks
-- needs: tasks/get
-- why: `failed` is for protocol errors. A tool that reports an error has completed, and its text is what the model
--   needs.
-- fix: Give `error` with `failed`; use `completed` with a result whose `isError` is set.
-- source: ext-tasks tasks:158
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, min(x.answer_seq) AS seq, x.task_id AS subject,
    CASE WHEN bool_or(json_exists(late(m.raw, x.seq), '$.result.error')) THEN 'A task failed with an isError result.' ELSE 'A task failed without an error.' END AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'task', x.task_id) AS evidence
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
WHERE x.method = 'tasks/get' AND x.direction = 'c2s' AND json_extract_string(late(m.raw, x.seq), '$.result.status') = 'failed'
    AND (coalesce(json_type(late(m.raw, x.seq), '$.result.error'), 'NULL') = 'NULL' OR json_extract_string(late(m.raw, x.seq), '$.result.result.isError') = 'true')
GROUP BY x.capture_id, x.session_id, x.task_id
