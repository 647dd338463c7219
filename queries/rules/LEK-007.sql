-- id: LEK-007
-- title: A secret on the server's stderr
-- severity: warning
-- confidence: high
-- party: server
-- revisions: all
-- needs: #redactions
-- when: redactions: starts_with(place, '/stderr')
-- why: Clients write stderr into log files that nobody guards.
-- fix: Take secrets out before logging.
-- source: derived
-- frameworks: CWE-532, SOC 2 CC6.1

SELECT r.capture_id, coalesce(any_value(s.session_id), r.capture_id || '.1') AS session_id, min(r.seq) AS seq, r.kind AS subject,
    count(*) || ' line(s) of stderr held a secret (' || r.kind || ').' AS message,
    json_object('kind', r.kind, 'count', count(*), 'seqs', list(DISTINCT r.seq ORDER BY r.seq)[1:5]) AS evidence
FROM redactions r
ASOF LEFT JOIN sessions s ON s.capture_id = r.capture_id AND s.first_seq <= r.seq
WHERE starts_with(r.place, '/stderr')
GROUP BY r.capture_id, r.kind
