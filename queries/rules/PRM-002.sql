-- id: PRM-002
-- title: A field asked for that the call had given
-- severity: info
-- confidence: high
-- party: server
-- revisions: all
-- needs: #prompts
-- overrides: confidence
-- when: elicitations: root_seq IS NOT NULL
-- why: The user is asked what the caller already said. The two answers may differ, and one of them is ignored.
-- fix: Ask only for what the arguments lack, or give what they say as the default.
-- source: derived
-- frameworks: GDPR Art. 5(1)(c)

WITH args AS (
    SELECT c.capture_id, c.seq, e.key, e.value, e.type
    FROM (
        SELECT c.capture_id, c.seq, late(m.raw, c.seq) -> '$.params.arguments' AS arguments
        FROM calls c
        JOIN m_texts m ON m.capture_id = c.capture_id AND m.seq = c.seq
        WHERE len(c.prompts) > 0 AND json_type(late(m.raw, c.seq), '$.params.arguments') = 'OBJECT'
    ) c, json_each(c.arguments) e
)
SELECT f.capture_id, f.session_id, f.seq, f.name AS subject,
    'The form' || coalesce(' of ' || p.parent_tool, '') || ' asks for ' || f.name || ', which the call had given as ' || a.key || '.' AS message,
    json_object('rpc_id', p.wire_id, 'field', f.name, 'argument', a.key, 'call_seq', a.seq, 'default', f.has_default) AS evidence,
    CASE WHEN p.tier = 'inferred' OR f.has_default OR f.name <> a.key THEN 'medium' END AS confidence
FROM elicitation_fields f
JOIN prompts p USING (capture_id, seq, item)
JOIN args a ON a.capture_id = p.capture_id AND a.seq = p.root_seq AND plain(a.key) = plain(f.name)
WHERE p.kind = 'elicitation' AND p.tier IN ('explicit', 'deduced', 'inferred') AND plain(f.name) <> ''
    AND a.type <> 'NULL' AND a.value::VARCHAR NOT IN ('""', '[]', '{}')
