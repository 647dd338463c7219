-- id: TSX-002
-- title: A task where there can be none
-- severity: violation
-- confidence: high
-- party: server
-- revisions: ext-tasks
-- needs: #tasks
-- why: A client that asks how a task goes, and gets another task, never comes to an end.
-- fix: Answer lists, discovery and the `tasks/*` methods with `complete`.
-- source: ext-tasks tasks:102,338
-- frameworks: MCP conformance

SELECT capture_id, session_id, answer_seq AS seq, method AS subject,
    'The server answered ' || method || ' with the resultType task.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type)) AS evidence
FROM exchanges
WHERE direction = 'c2s' AND result_type = 'task' AND (method LIKE 'tasks/%' OR method LIKE '%/list' OR method = 'server/discover')
