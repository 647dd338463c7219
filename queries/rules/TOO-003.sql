-- id: TOO-003
-- title: A structured result that breaks its schema
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- why: The client was told what to expect and acts on it; some refuse the result altogether.
-- fix: Return `structuredContent` that fits the tool's `outputSchema`.
-- source: 2025-11-25 server/tools:340
-- frameworks: MCP conformance, CWE-20
-- check: output_fits

WITH tools AS (
    SELECT x.session_id, x.answer_seq, json_extract_string(e.value, '$.name') AS tool, (e.value -> '$.outputSchema')::VARCHAR AS schema
    FROM (
        SELECT x.session_id, x.answer_seq, js(a.raw) -> '$.result.tools' AS tools
        FROM exchanges x
        JOIN messages a ON a.capture_id = x.capture_id AND a.seq = x.answer_seq
        WHERE x.method = 'tools/list' AND x.answer_kind = 'result'
    ) x, json_each(x.tools) e
    WHERE json_type(x.tools) = 'ARRAY' AND json_type(e.value, '$.outputSchema') = 'OBJECT'
)
SELECT x.capture_id, x.session_id, x.answer_seq AS seq, rid(x.rpc_id, x.rpc_id_type) AS wire_id, x.tool, t.schema,
    (js(m.raw) -> '$.result.structuredContent')::VARCHAR AS content
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
JOIN captures c ON c.capture_id = x.capture_id
ASOF JOIN tools t ON t.session_id = x.session_id AND t.tool = x.tool AND t.answer_seq < x.seq
WHERE x.method = 'tools/call' AND x.answer_kind = 'result' AND coalesce(x.is_error, false) = false AND c.content_level = 'full'
    AND coalesce(x.result_type, 'complete') = 'complete' AND json_type(js(m.raw), '$.result') = 'OBJECT'
    AND NOT json_exists(js(m.raw), '$.result.task') AND m.bytes < 1000000
