-- id: LEK-003
-- title: A secret in the arguments of a call
-- severity: policy
-- confidence: high
-- party: client
-- revisions: all
-- needs: #redactions
-- why: A model that can write a secret into a call has read it; it stands in its context and in every log on the
--   way.
-- fix: Give the server its credentials by configuration, and let the model name them by a handle.
-- source: 2025-11-25 server/tools
-- frameworks: CWE-522, OWASP LLM02, ISO 27001 A.5.17

SELECT t.capture_id, t.session_id, t.seq, coalesce(t.tool, t.method) AS subject,
    'The arguments of ' || coalesce(t.tool, t.method) || ' held a secret (' || string_agg(DISTINCT r.kind, ', ' ORDER BY r.kind) || ').' AS message,
    json_object('rpc_id', rid(t.rpc_id, t.rpc_id_type), 'places', list(DISTINCT r.place ORDER BY r.place)[1:10],
        'fingerprints', list(DISTINCT r.fingerprint ORDER BY r.fingerprint)[1:10]) AS evidence
FROM redactions r
JOIN lines t ON t.capture_id = r.capture_id AND t.seq = r.seq
WHERE t.kind = 'request' AND t.direction = 'c2s' AND t.method IN ('tools/call', 'prompts/get') AND starts_with(r.place, '/params/arguments')
GROUP BY t.capture_id, t.session_id, t.seq, t.tool, t.method, t.rpc_id, t.rpc_id_type
