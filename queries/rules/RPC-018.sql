-- id: RPC-018
-- title: An error code that this revision does not have
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- when: messages: kind = 'error' AND direction = 's2c'
-- why: Clients act on codes: `-32002` and `-32042` belong to older revisions, and `-32020` to `-32099` are
--   reserved.
-- fix: Use `-32602` for a resource that is missing, `input_required` for a prompt, and the codes that the revision
--   defines.
-- source: 2026-07-28 basic/index:125,138
-- frameworks: MCP conformance

SELECT capture_id, session_id, seq, error_code::VARCHAR AS subject,
    'The server answered with the code ' || error_code || '.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'code', error_code) AS evidence
FROM lines
WHERE kind = 'error' AND direction = 's2c' AND revision = '2026-07-28'
    AND (error_code IN (-32002, -32042) OR (error_code BETWEEN -32099 AND -32020 AND error_code NOT IN (-32020, -32021, -32022, -32042)))
