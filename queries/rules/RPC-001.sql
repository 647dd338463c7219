-- id: RPC-001
-- title: A message without `jsonrpc: "2.0"`
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- when: messages: list_contains(problems, 'jsonrpc')
-- why: Readers that follow JSON-RPC 2.0 refuse or drop such a message, so one side believes that something was
--   said which the other never took.
-- fix: Set `"jsonrpc": "2.0"` on every message.
-- source: 2026-07-28 basic/index:27
-- frameworks: MCP conformance

SELECT capture_id, session_id, min(seq) AS seq, direction AS subject,
    count(*) || ' message(s) of the ' || if(direction = 'c2s', 'client', 'server') || ' do not say jsonrpc "2.0".' AS message,
    json_object('count', count(*), 'seqs', list(seq ORDER BY seq)[1:5]) AS evidence
FROM traffic
WHERE list_contains(problems, 'jsonrpc')
GROUP BY capture_id, session_id, direction
