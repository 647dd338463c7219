-- id: LEK-004
-- title: A secret in a result that goes to the model
-- severity: warning
-- confidence: high
-- party: server
-- revisions: all
-- needs: #redactions
-- why: What a tool returns enters the model's context: it is sent to its maker, kept in histories, and can be
--   asked out of it.
-- fix: Return a handle, or what the model needs to know about the secret, never the secret.
-- source: 2026-07-28 server/tools:399
-- frameworks: OWASP LLM02, CWE-200, GDPR Art. 32, SOC 2 CC6.1

SELECT t.capture_id, t.session_id, t.seq, coalesce(x.tool, x.method) AS subject,
    'A result of ' || coalesce(x.tool, x.method) || ' held a secret (' || string_agg(DISTINCT r.kind, ', ' ORDER BY r.kind) || ').' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'places', list(DISTINCT r.place ORDER BY r.place)[1:10],
        'fingerprints', list(DISTINCT r.fingerprint ORDER BY r.fingerprint)[1:10]) AS evidence
FROM redactions r
JOIN lines t ON t.capture_id = r.capture_id AND t.seq = r.seq
JOIN exchanges x ON x.capture_id = t.capture_id AND x.answer_seq = t.seq
WHERE t.kind = 'result' AND t.direction = 's2c' AND x.method IN ('tools/call', 'prompts/get', 'resources/read', 'tasks/result')
    AND regexp_matches(r.place, '^/result/(content|structuredContent|messages|contents)(/|$)')
GROUP BY t.capture_id, t.session_id, t.seq, x.tool, x.method, x.rpc_id, x.rpc_id_type
