-- id: MRT-001
-- title: input_required where no prompt may be asked
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: #asks
-- why: Clients handle it for tools/call, prompts/get and resources/read only; elsewhere the question is lost.
-- fix: Ask in the answer to one of these three.
-- source: 2026-07-28 basic/patterns/mrtr:192
-- frameworks: MCP conformance

SELECT capture_id, session_id, answer_seq AS seq, method AS subject,
    'The server answered ' || method || ' with input_required.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'keys', input_keys) AS evidence
FROM asks
WHERE method NOT IN ('tools/call', 'prompts/get', 'resources/read')
