-- id: TOO-004
-- title: A structured result without any text
-- severity: warning
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: tools/call
-- when: messages: kind = 'result' AND contains(raw, 'structuredContent')
-- why: Clients that do not know structured content show their user and their model an empty result.
-- fix: Add the same as a text block.
-- source: 2025-11-25 server/tools:326
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, min(x.answer_seq) AS seq, x.tool AS subject,
    count(*) || ' result(s) of ' || x.tool || ' have structuredContent and no content.' AS message,
    json_object('rpc_id', rid(arg_min(x.rpc_id, x.seq), arg_min(x.rpc_id_type, x.seq)), 'count', count(*)) AS evidence
FROM exchanges x
JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
WHERE x.method = 'tools/call' AND x.answer_kind = 'result' AND coalesce(x.is_error, false) = false AND x.tool IS NOT NULL
    AND contains(m.raw, 'structuredContent') AND json_type(late(m.raw, x.seq), '$.result.structuredContent') = 'OBJECT'
    AND coalesce(json_array_length(late(m.raw, x.seq), '$.result.content'), 0) = 0
GROUP BY x.capture_id, x.session_id, x.tool
