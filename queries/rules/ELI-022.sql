-- id: ELI-022
-- title: A link inside a form
-- severity: warning
-- confidence: medium
-- party: server
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitations: contains(message, 'http'); elicitation_fields: contains(concat_ws(' ', title, description, array_to_string(options, ' ')), 'http')
-- why: A link in the text of a form goes around what the client checks and shows of url prompts.
-- fix: Send a url prompt instead.
-- source: 2025-11-25 client/elicitation:717
-- frameworks: CWE-601

WITH texts AS (
    SELECT capture_id, seq, item, 'message' AS place, e.message AS text FROM prompts e WHERE kind = 'elicitation' AND mode = 'form'
    UNION ALL
    SELECT capture_id, seq, item, 'field ' || name, concat_ws(' ', title, description, array_to_string(options, ' ')) FROM elicitation_fields
)
SELECT e.capture_id, e.session_id, e.seq, coalesce(e.parent_tool, 'elicitation/create') AS subject,
    'A form holds a link (' || string_agg(DISTINCT t.place, ', ' ORDER BY t.place) || ').' AS message,
    json_object('rpc_id', any_value(e.wire_id), 'link', cut(min(regexp_extract(t.text, 'https?://[^\s"<>]{1,200}')), 200)) AS evidence
FROM texts t
JOIN prompts e USING (capture_id, seq, item)
WHERE e.kind = 'elicitation' AND e.mode = 'form' AND regexp_matches(t.text, 'https?://[^\s]')
GROUP BY e.capture_id, e.session_id, e.seq, e.item, e.parent_tool
