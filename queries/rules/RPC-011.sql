-- id: RPC-011
-- title: A line on stdio that is no JSON-RPC message
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- when: oddities: channel = 0; messages: list_contains(problems, 'not_an_object')
-- why: Whatever is printed between messages breaks strict readers, and hides messages from lenient ones. Mostly it
--   is a log line gone to stdout.
-- fix: Write logs to stderr; write nothing but messages, one a line, on stdin and stdout.
-- source: 2025-11-25 basic/transports:33-34; 2026-07-28 basic/transports/stdio:18-20
-- frameworks: MCP conformance

WITH lines AS (
    SELECT capture_id, seq, direction, why, raw FROM oddities WHERE channel = 0 AND why NOT ILIKE '%torn%' AND why NOT ILIKE '%cut%'
    UNION ALL
    SELECT capture_id, seq, direction, 'not an object', raw FROM messages
    WHERE channel = 0 AND list_contains(problems, 'not_an_object')
)
SELECT l.capture_id, coalesce(any_value(s.session_id), l.capture_id || '.1') AS session_id, min(l.seq) AS seq, l.direction AS subject,
    count(*) || ' line(s) of the ' || if(l.direction = 'c2s', 'client', 'server') || ' are no messages.' AS message,
    json_object('count', count(*), 'seqs', list(l.seq ORDER BY l.seq)[1:5], 'why', arg_min(l.why, l.seq), 'first', cut(arg_min(l.raw, l.seq), 200)) AS evidence
FROM lines l
JOIN captures c ON c.capture_id = l.capture_id AND c.transport IN ('stdio', 'import')
ASOF LEFT JOIN sessions s ON s.capture_id = l.capture_id AND s.first_seq <= l.seq
GROUP BY l.capture_id, s.session_id, l.direction
