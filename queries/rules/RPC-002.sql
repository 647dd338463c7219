-- id: RPC-002
-- title: A request whose id is neither a string nor an integer
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- when: messages: list_contains(problems, 'id')
-- why: An answer to such a request cannot be told from any other, and some SDKs drop it without a word.
-- fix: Use a string or an integer as id, never null, a boolean or a fraction.
-- source: 2026-07-28 basic/index:46-47
-- frameworks: MCP conformance

SELECT capture_id, session_id, seq, method AS subject,
    'The request ' || method || ' has an id that is neither a string nor an integer.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'type', rpc_id_type, 'direction', direction) AS evidence
FROM traffic
WHERE kind = 'request' AND list_contains(problems, 'id')
