-- id: TOO-001
-- title: A call of a tool that the server does not list
-- severity: warning
-- confidence: high
-- party: client
-- revisions: all
-- needs: tools/list
-- why: The model made the name up, or the list in its context is stale. A server that answers anyway has tools
--   nobody reviewed.
-- fix: Fetch `tools/list` to its last page, and again when it changed; call only what it names.
-- source: 2025-11-25 server/tools:486
-- frameworks: MCP conformance

WITH grouped AS (
    SELECT *, sum(first_page::INTEGER) OVER (PARTITION BY session_id ORDER BY seq) AS listing FROM listings WHERE tools_type = 'ARRAY'
), lists AS (
    SELECT session_id, max(answer_seq) AS listed_seq, flatten(list(names)) AS names
    FROM grouped
    GROUP BY session_id, listing
    HAVING bool_or(last_page) AND bool_or(first_page)
), unnamed AS (
    SELECT x.*, l.listed_seq
    FROM exchanges x
    ASOF JOIN lists l ON l.session_id = x.session_id AND l.listed_seq < x.seq
    WHERE x.method = 'tools/call' AND x.tool IS NOT NULL AND NOT list_contains(l.names, x.tool)
)
SELECT x.capture_id, x.session_id, min(x.seq) AS seq, x.tool AS subject,
    'The client called ' || x.tool || ' (' || count(*) || '×), which the latest tools/list does not name.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'listed_seq', min(x.listed_seq), 'count', count(*)) AS evidence
FROM unnamed x
WHERE NOT EXISTS (FROM m_lines t WHERE t.capture_id = x.capture_id AND t.method = 'notifications/tools/list_changed' AND t.seq BETWEEN x.listed_seq AND x.seq)
GROUP BY x.capture_id, x.session_id, x.tool
