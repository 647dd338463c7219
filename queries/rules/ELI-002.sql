-- id: ELI-002
-- title: A prompt in a mode that the client did not declare
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitations: declared = false
-- why: A client that shows forms need not open URLs, nor the other way round. The prompt reaches nobody.
-- fix: Ask only in a mode that the client declares (`elicitation: {}` means `form`); since 2026-07-28 each request
--   says it anew.
-- source: 2025-11-25 client/elicitation:77; 2026-07-28 client/elicitation:81; 2026-07-28 basic/patterns/mrtr:246
-- frameworks: MCP conformance, EU AI Act Art. 14

SELECT capture_id, session_id, seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'The server asked in mode ' || coalesce(mode, 'form') || ', which the client had not declared' || coalesce(' (in ' || parent_tool || ')', '') || '.' AS message,
    json_object('rpc_id', wire_id, 'mode', mode, 'prompt', cut(e.message, 200), 'outcome', outcome) AS evidence
FROM prompts e
WHERE kind = 'elicitation' AND declared = false AND mode IN ('form', 'url')
