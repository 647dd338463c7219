-- id: ELI-018
-- title: A secret or personal data in the URL of a prompt
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: redactions: ends_with(place, '/url')
-- why: URLs end up in histories, proxies and logs, and the client shows this one to its user.
-- fix: Put an opaque, short-lived handle into the URL.
-- source: 2025-11-25 client/elicitation:715; 2026-07-28 client/elicitation:605
-- frameworks: CWE-598, GDPR Art. 32, ISO 27001 A.5.17

SELECT e.capture_id, e.session_id, e.seq, coalesce(e.parent_tool, 'elicitation/create') AS subject,
    'The URL of a prompt holds a secret (' || string_agg(DISTINCT r.kind, ', ' ORDER BY r.kind) || ').' AS message,
    json_object('rpc_id', any_value(e.wire_id), 'url', cut(any_value(e.url), 300), 'kinds', list(DISTINCT r.kind ORDER BY r.kind)) AS evidence
FROM prompts e
JOIN redactions r ON r.capture_id = e.capture_id AND r.seq = e.seq AND r.place = CASE e.carriage
    WHEN 'request' THEN '/params/url'
    WHEN 'url_required' THEN '/error/data/elicitations/' || e.item || '/url'
    ELSE '/result/inputRequests/' || step(e.key) || '/params/url' END
WHERE e.kind = 'elicitation'
GROUP BY e.capture_id, e.session_id, e.seq, e.item, e.parent_tool
