-- id: RPC-015
-- title: The client cancelled initialize
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25
-- when: exchanges: method = 'initialize' AND cancelled_seq IS NOT NULL
-- why: After it neither side knows whether there is a session.
-- fix: Close the connection instead.
-- source: 2025-11-25 cancellation:35
-- frameworks: MCP conformance

SELECT capture_id, session_id, cancelled_seq AS seq, 'initialize' AS subject,
    'The client cancelled its initialize request.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'request_seq', seq) AS evidence
FROM exchanges
WHERE method = 'initialize' AND direction = 'c2s' AND cancelled_seq IS NOT NULL
