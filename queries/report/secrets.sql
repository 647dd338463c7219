-- id: secrets
-- title: Secrets taken out
-- why: what kinds of secrets passed, and in which direction; their values are nowhere

SELECT r.kind, count(*) AS n, count(DISTINCT r.fingerprint) AS different, count(DISTINCT r.capture_id) AS captures,
    count(*) FILTER (r.direction = 'c2s') AS from_client, count(*) FILTER (r.direction = 's2c') AS from_server,
    count(*) FILTER (r.direction IS NULL) AS elsewhere
FROM redactions r
GROUP BY r.kind
ORDER BY n DESC, r.kind
