-- id: secrets-by-kind-and-place
-- title: Secrets by kind and place
-- question: What secrets passed, where did they stand, and at which servers?
-- frameworks: ISO 27001 A.5.17, ISO 27001 A.8.12, SOC 2 CC6.1, GDPR Art. 32

SELECT
    r.kind,
    CASE
        WHEN r.place LIKE '/params/arguments%' THEN 'arguments of a call'
        WHEN r.place LIKE '/params/inputResponses%' OR (r.direction = 'c2s' AND r.place LIKE '/result/content%') THEN 'answer to a prompt'
        WHEN r.direction = 's2c' AND r.place LIKE '/result%' THEN 'result'
        WHEN r.place LIKE '/error%' THEN 'error'
        WHEN r.place LIKE '/stderr%' THEN 'stderr'
        WHEN r.place LIKE '/cmd%' THEN 'command line'
        WHEN r.place LIKE '/env%' THEN 'environment'
        WHEN r.place LIKE '/headers%' THEN 'HTTP header'
        WHEN r.place = '/path' OR r.place = '/upstream' THEN 'URL'
        WHEN m.method = 'notifications/message' THEN 'log message'
        WHEN m.method IS NOT NULL THEN m.method
        ELSE 'other'
    END AS stood_in,
    coalesce(r.direction, '') AS direction,
    count(*) AS times,
    count(DISTINCT r.fingerprint) AS different,
    count(DISTINCT r.capture_id) AS captures,
    list(DISTINCT s.server_name ORDER BY s.server_name) FILTER (s.server_name IS NOT NULL) AS servers,
    min(coalesce(m.ts, c.started_at)) AS first_seen,
    max(coalesce(m.ts, c.started_at)) AS last_seen
FROM redactions r
JOIN captures c ON c.capture_id = r.capture_id
LEFT JOIN messages m ON m.capture_id = r.capture_id AND m.seq = r.seq
ASOF LEFT JOIN sessions s ON s.capture_id = r.capture_id AND s.first_seq <= r.seq
GROUP BY r.kind, stood_in, r.direction
ORDER BY times DESC, r.kind, stood_in, direction
