-- id: LEK-005
-- title: A secret in a URL
-- severity: warning
-- confidence: high
-- party: either
-- revisions: all
-- needs: #redactions
-- why: URLs are logged by every proxy and kept in every history.
-- fix: Send secrets in a header or a body, and change the one that was sent this way.
-- source: 2025-11-25 client/elicitation:715
-- frameworks: CWE-598, SOC 2 CC6.1

SELECT r.capture_id, coalesce(t.session_id, r.capture_id || '.1') AS session_id, r.seq, r.kind AS subject,
    'A URL held a secret (' || r.kind || ') at ' || min(r.place) || '.' AS message,
    json_object('place', min(r.place), 'kind', r.kind, 'fingerprint', any_value(r.fingerprint), 'method', any_value(t.method)) AS evidence
FROM redactions r
LEFT JOIN lines t ON t.capture_id = r.capture_id AND t.seq = r.seq
WHERE (r.place = '/path' OR r.place = '/upstream' OR regexp_matches(r.place, '/(url|uri|href|websiteUrl)$'))
    AND NOT EXISTS (FROM elicitations e WHERE e.capture_id = r.capture_id AND e.seq = r.seq AND e.mode = 'url')
GROUP BY r.capture_id, t.session_id, r.seq, r.kind
