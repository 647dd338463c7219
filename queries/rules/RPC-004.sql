-- id: RPC-004
-- title: An error without an integer code or without a message
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- when: messages: list_contains(problems, 'error_code') OR list_contains(problems, 'error_message')
-- why: A client chooses what to do by the code; without one a refusal looks like any other failure.
-- fix: Give every error an integer `code` and a `message`.
-- source: 2025-06-18 basic/index:74-76
-- frameworks: MCP conformance

SELECT capture_id, session_id, seq, coalesce(rpc_id, '') AS subject,
    'An error has ' || if(list_contains(problems, 'error_code'), 'no integer code.', 'no message.') AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'direction', direction, 'problems', problems) AS evidence
FROM traffic
WHERE kind = 'error' AND (list_contains(problems, 'error_code') OR list_contains(problems, 'error_message'))
