-- id: findings
-- title: Findings
-- why: what was found, with what a person needs to check it
-- param: most INTEGER = 25 | findings of one rule and severity that are shown

SELECT f.rule, f.severity, f.confidence, f.party, f.session_id AS session, f.seq, f.subject, f.message, f.evidence::VARCHAR AS evidence, s.server_name AS server
FROM findings f
LEFT JOIN sessions s USING (session_id)
QUALIFY row_number() OVER (PARTITION BY f.rule, f.severity, f.confidence ORDER BY f.session_id, f.seq, f.subject, f.message) <= $most
ORDER BY f.rule, f.severity, f.session_id, f.seq, f.subject, f.message
