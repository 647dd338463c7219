-- id: REC-001
-- title: A message that readers disagree on
-- severity: warning
-- confidence: high
-- party: either
-- revisions: all
-- when: messages: duplicate_keys
-- why: A key stands twice in one object. Some parsers take the first, others the last: what the client checked
--   need not be what the server did.
-- fix: Never write a key twice.
-- source: derived
-- frameworks: CWE-436, ISO 27001 A.8.15

SELECT capture_id, session_id, seq, coalesce(method, rpc_id, '') AS subject,
    'A message has the same key twice in one object.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'direction', direction, 'kind', kind) AS evidence
FROM traffic
WHERE duplicate_keys
