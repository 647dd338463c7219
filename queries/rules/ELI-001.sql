-- id: ELI-001
-- title: A prompt to a client that did not declare elicitation
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-06-18
-- needs: #prompts
-- when: elicitations: declared = false
-- why: The client has no way to show the form. Nobody is asked, and the call fails or waits for nothing.
-- fix: Look for `capabilities.elicitation` in `initialize`, and return what is missing instead of asking.
-- source: 2025-06-18 client/elicitation:44; 2025-06-18 basic/lifecycle:178
-- frameworks: MCP conformance, EU AI Act Art. 14

SELECT capture_id, session_id, seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'The server asked a client that had not declared elicitation' || coalesce(' (in ' || parent_tool || ')', '') || '.' AS message,
    json_object('rpc_id', wire_id, 'prompt', cut(e.message, 200), 'outcome', outcome) AS evidence
FROM prompts e
WHERE kind = 'elicitation' AND declared = false
