-- id: SAM-001
-- title: Tools in a sampling request that the client did not declare
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitations: kind = 'sampling'
-- why: The client's model is offered tools that its user never allowed to be used this way.
-- fix: Look for `sampling.tools` among the client's capabilities.
-- source: 2025-11-25 sampling:40
-- frameworks: MCP conformance

SELECT capture_id, session_id, seq, coalesce(parent_tool, 'sampling/createMessage') AS subject,
    'A sampling request brings tools, and the client had not declared sampling.tools.' AS message,
    json_object('rpc_id', wire_id) AS evidence
FROM prompts
WHERE kind = 'sampling' AND (coalesce(json_array_length(params, '$.tools'), 0) > 0 OR json_type(params, '$.toolChoice') = 'OBJECT')
    AND json_type(client_capabilities) = 'OBJECT' AND NOT json_exists(client_capabilities, '$.sampling.tools')
