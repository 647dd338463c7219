-- id: LEK-006
-- title: One secret seen at several servers
-- severity: policy
-- confidence: high
-- party: client
-- revisions: all
-- scope: store
-- when: redactions: fingerprint IS NOT NULL
-- why: A secret that belongs to one server and shows up at another was carried over by the client or its model.
--   Whoever runs the second can use it at the first.
-- fix: Find out how it got there by the path, change the secret, and keep servers apart.
-- source: derived
-- frameworks: CWE-668, OWASP LLM02, SOC 2 CC6.1, ISO 27001 A.5.17

WITH seen AS (
    SELECT r.fingerprint, r.kind, r.capture_id, s.session_id, s.server_name, r.seq, r.place, m.ts
    FROM store_redactions r
    JOIN (
        SELECT fingerprint FROM store_redactions WHERE fingerprint IS NOT NULL GROUP BY ALL HAVING count(DISTINCT capture_id) > 1
    ) often USING (fingerprint)
    JOIN store_messages m ON m.capture_id = r.capture_id AND m.seq = r.seq
    ASOF JOIN store_sessions s ON s.capture_id = r.capture_id AND s.first_seq <= r.seq
), firsts AS (
    SELECT fingerprint, kind, capture_id, session_id, server_name, min(seq) AS seq, arg_min(place, seq) AS place, min(ts) AS ts
    FROM seen
    WHERE server_name IS NOT NULL
    GROUP BY fingerprint, kind, capture_id, session_id, server_name
), paths AS (
    SELECT fingerprint, kind, arg_min(server_name, (ts, session_id)) AS origin, count(DISTINCT server_name) AS servers,
        list(json_object('session', session_id, 'seq', seq, 'server', server_name, 'place', place, 'at', ts::VARCHAR) ORDER BY ts, session_id)[1:20] AS path
    FROM firsts
    GROUP BY fingerprint, kind
    HAVING count(DISTINCT server_name) > 1
)
SELECT f.capture_id, f.session_id, f.seq, f.kind AS subject,
    'A secret (' || f.kind || ') that was first seen at ' || p.origin || ' was seen at ' || f.server_name || '.' AS message,
    json_object('fingerprint', f.fingerprint, 'kind', f.kind, 'servers', p.servers, 'path', p.path) AS evidence
FROM firsts f
JOIN paths p USING (fingerprint, kind)
WHERE f.server_name <> p.origin
