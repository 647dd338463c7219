-- id: TSX-005
-- title: An answer to a key that the task did not ask for
-- severity: violation
-- confidence: high
-- party: client
-- revisions: ext-tasks
-- needs: tasks/update
-- why: The server gets answers that no user gave.
-- fix: Answer only the keys that `tasks/get` shows.
-- source: ext-tasks tasks:364
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.seq, x.task_id AS subject,
    'tasks/update answers a key that the task had not asked for.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'task', x.task_id, 'keys', list_filter(m.input_keys, lambda k: NOT list_contains(coalesce(a.keys, []), k))[1:10]) AS evidence
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
JOIN (
    SELECT g.session_id, g.task_id, min(g.answer_seq) AS first, flatten(list(coalesce(r.input_keys, []))) AS keys
    FROM exchanges g
    JOIN messages r ON r.capture_id = g.capture_id AND r.seq = g.answer_seq
    WHERE g.method IN ('tasks/get', 'tools/call', 'tasks/update') AND g.direction = 'c2s'
    GROUP BY ALL
) a ON a.session_id = x.session_id AND a.task_id = x.task_id AND a.first < x.seq
WHERE x.method = 'tasks/update' AND x.direction = 'c2s' AND m.input_keys IS NOT NULL AND NOT list_has_all(coalesce(a.keys, []), m.input_keys)
