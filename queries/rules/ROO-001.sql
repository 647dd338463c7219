-- id: ROO-001
-- title: A root that is no file URI
-- severity: violation
-- confidence: high
-- party: client
-- revisions: all
-- needs: #prompts
-- when: elicitations: kind = 'roots'
-- why: Servers confine themselves to the roots they are given; one they cannot read confines nothing.
-- fix: Give roots as `file://` URIs.
-- source: 2025-11-25 roots:110
-- frameworks: MCP conformance, CWE-22

SELECT p.capture_id, p.session_id, p.answered_seq AS seq, 'roots/list' AS subject,
    'A root is not a file:// URI.' AS message,
    json_object('rpc_id', any_value(p.wire_id), 'uri', cut(min(json_extract_string(r.value, '$.uri')), 200)) AS evidence
FROM (SELECT *, answer -> '$.roots' AS given FROM prompts WHERE kind = 'roots' AND json_type(answer, '$.roots') = 'ARRAY') p, json_each(p.given) r
WHERE NOT starts_with(lower(coalesce(json_extract_string(r.value, '$.uri'), '')), 'file://')
    AND NOT starts_with(coalesce(json_extract_string(r.value, '$.uri'), ''), '[REDACTED')
GROUP BY p.capture_id, p.session_id, p.answered_seq, p.item
