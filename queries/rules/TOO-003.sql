-- id: TOO-003
-- title: A structured result that breaks its schema
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: tools/list
-- when: listings: schemas
-- why: The client was told what to expect and acts on it; some refuse the result altogether.
-- fix: Return `structuredContent` that fits the tool's `outputSchema`.
-- source: 2025-11-25 server/tools:340
-- frameworks: MCP conformance, CWE-20
-- check: output_fits

WITH listed AS MATERIALIZED (
    SELECT x.session_id, x.answer_seq, js(a.raw) -> '$.result.tools' AS tools
    FROM listings x
    JOIN m_texts a ON a.capture_id = x.capture_id AND a.seq = x.answer_seq
    WHERE x.schemas
), tools AS MATERIALIZED (
    SELECT x.session_id, x.answer_seq, json_extract_string(e.value, '$.name') AS tool, (e.value -> '$.outputSchema')::VARCHAR AS schema
    FROM listed x, json_each(x.tools) e
    WHERE json_type(x.tools) = 'ARRAY' AND json_type(e.value, '$.outputSchema') = 'OBJECT'
), bound AS MATERIALIZED (
    SELECT x.capture_id, x.session_id, x.answer_seq, x.rpc_id, x.rpc_id_type, x.tool, t.schema
    FROM exchanges x
    JOIN captures c ON c.capture_id = x.capture_id AND c.content_level = 'full'
    ASOF JOIN tools t ON t.session_id = x.session_id AND t.tool = x.tool AND t.answer_seq < x.seq
    WHERE x.method = 'tools/call' AND x.answer_kind = 'result' AND coalesce(x.is_error, false) = false
        AND coalesce(x.result_type, 'complete') = 'complete'
), answers AS MATERIALIZED (
    SELECT b.*, js(m.raw) AS doc
    FROM bound b
    JOIN messages m ON m.capture_id = b.capture_id AND m.seq = b.answer_seq AND m.bytes < 1000000
)
SELECT capture_id, session_id, answer_seq AS seq, rid(rpc_id, rpc_id_type) AS wire_id, tool, schema,
    (doc -> '$.result.structuredContent')::VARCHAR AS content
FROM answers
WHERE json_type(doc, '$.result') = 'OBJECT' AND NOT json_exists(doc, '$.result.task')
