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

WITH listed AS MATERIALIZED (
    SELECT x.session_id, x.seq, x.answer_seq, js(q.raw) AS asked, js(a.raw) AS answer
    FROM exchanges x
    JOIN messages q ON q.capture_id = x.capture_id AND q.seq = x.seq
    JOIN messages a ON a.capture_id = x.capture_id AND a.seq = x.answer_seq
    WHERE x.method = 'tools/list' AND x.answer_kind = 'result'
), pages AS (
    SELECT session_id, seq, answer_seq, json_extract_string(answer, '$.result.tools[*].name') AS names,
        coalesce(json_type(asked, '$.params.cursor'), 'NULL') = 'NULL' AS first_page,
        coalesce(json_type(answer, '$.result.nextCursor'), 'NULL') = 'NULL' AS last_page
    FROM listed
    WHERE json_type(answer, '$.result.tools') = 'ARRAY'
), grouped AS (
    SELECT *, sum(first_page::INTEGER) OVER (PARTITION BY session_id ORDER BY seq) AS listing FROM pages
), lists AS (
    SELECT session_id, max(answer_seq) AS listed_seq, flatten(list(names)) AS names
    FROM grouped
    GROUP BY session_id, listing
    HAVING bool_or(last_page) AND bool_or(first_page)
)
SELECT x.capture_id, x.session_id, min(x.seq) AS seq, x.tool AS subject,
    'The client called ' || x.tool || ' (' || count(*) || '×), which the latest tools/list does not name.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'listed_seq', min(l.listed_seq), 'count', count(*)) AS evidence
FROM exchanges x
ASOF JOIN lists l ON l.session_id = x.session_id AND l.listed_seq < x.seq
WHERE x.method = 'tools/call' AND x.tool IS NOT NULL AND NOT list_contains(l.names, x.tool)
    AND NOT EXISTS (FROM lines t WHERE t.capture_id = x.capture_id AND t.method = 'notifications/tools/list_changed' AND t.seq BETWEEN l.listed_seq AND x.seq)
GROUP BY x.capture_id, x.session_id, x.tool
