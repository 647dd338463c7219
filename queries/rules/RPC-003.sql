-- id: RPC-003
-- title: An answer with both a result and an error, or with neither
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- when: messages: list_contains(problems, 'both') OR list_contains(problems, 'neither')
-- why: Nobody can say whether the request succeeded; SDKs disagree on which half they believe.
-- fix: Answer with exactly one of `result` and `error`.
-- source: 2025-06-18 basic/index:72
-- frameworks: MCP conformance

SELECT capture_id, session_id, seq, coalesce(rpc_id, '') AS subject,
    'An answer holds ' || if(list_contains(problems, 'both'), 'both a result and an error.', 'neither a result nor an error.') AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'direction', direction) AS evidence
FROM traffic
WHERE list_contains(problems, 'both') OR (list_contains(problems, 'neither') AND rpc_id IS NOT NULL)
