-- id: LEK-001
-- title: A secret in a log message
-- severity: violation
-- confidence: high
-- party: server
-- revisions: all
-- needs: #redactions
-- when: messages: method = 'notifications/message'
-- why: Logs are shown, stored and sent on with less care than anything else.
-- fix: Take secrets and personal data out before logging.
-- source: 2025-11-25 logging:131; 2026-07-28 logging:123
-- frameworks: CWE-532, GDPR Art. 32, ISO 27001 A.8.15, SOC 2 CC6.1

SELECT t.capture_id, t.session_id, t.seq, r.kind AS subject,
    'A log message of the server held a secret (' || r.kind || ').' AS message,
    json_object('place', min(r.place), 'kind', r.kind, 'fingerprint', any_value(r.fingerprint)) AS evidence
FROM redactions r
JOIN lines t ON t.capture_id = r.capture_id AND t.seq = r.seq
WHERE t.method = 'notifications/message' AND t.direction = 's2c' AND starts_with(r.place, '/params')
GROUP BY t.capture_id, t.session_id, t.seq, r.kind
