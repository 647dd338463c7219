-- id: HTP-004
-- title: Mcp-Method or Mcp-Name is missing, or says something else than the body
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- needs: #http
-- why: Gateways route, limit and log by these headers without reading the body; a call under another name escapes them.
-- fix: Send `Mcp-Method`, and for calls, prompts and resources `Mcp-Name`, exactly as in the body (in `=?base64?…?=`
--   where it is no plain ASCII).
-- source: 2026-07-28 basic/transports/streamable-http:293,582
-- frameworks: MCP conformance

WITH named AS (
    SELECT w.capture_id, w.exchange, w.mcp_method, m.session_id, m.seq, m.method, m.tool,
        CASE WHEN regexp_matches(w.mcp_name, '^=\?base64\?.*\?=$')
            THEN TRY(decode(from_base64(regexp_extract(w.mcp_name, '^=\?base64\?(.*)\?=$', 1))))
            ELSE w.mcp_name END AS mcp_name,
        m.method IN ('tools/call', 'prompts/get', 'resources/read') AND m.tool IS NOT NULL AS needs_name,
        concat(w.mcp_name, m.tool) LIKE '%[REDACTED%' OR length(w.mcp_name) >= 512 AS hidden
    FROM web w
    JOIN traffic m ON m.capture_id = w.capture_id AND m.channel = w.exchange AND m.direction = 'c2s'
    WHERE w.http_method = 'POST' AND m.kind = 'request' AND m.batch IS NULL
), wrong AS (
    SELECT *, CASE
        WHEN mcp_method IS NULL THEN 'Mcp-Method is missing'
        WHEN mcp_method <> method THEN 'Mcp-Method is ' || cut(mcp_method, 80)
        WHEN needs_name AND mcp_name IS NULL THEN 'Mcp-Name is missing'
        WHEN needs_name AND mcp_name <> tool AND NOT hidden THEN 'Mcp-Name is ' || cut(mcp_name, 80) END AS what
    FROM named
)
SELECT capture_id, session_id, seq, method AS subject,
    what || ' on the request ' || method || coalesce(' of ' || cut(tool, 80), '') || '.' AS message,
    json_object('exchange', exchange, 'mcp_method', mcp_method, 'mcp_name', mcp_name, 'method', method, 'name', tool) AS evidence
FROM wrong
WHERE what IS NOT NULL
