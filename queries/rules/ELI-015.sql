-- id: ELI-015
-- title: An answer to a prompt without a known action
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: prompts: coalesce(json_extract_string(answer, '$.action'), '') NOT IN ('accept', 'decline', 'cancel') AND answer IS NOT NULL
-- why: Nobody can say whether the user agreed. A careless server takes it for a yes.
-- fix: Answer with `action`: `accept`, `decline` or `cancel`.
-- source: schema ElicitResult
-- frameworks: MCP conformance, GDPR Art. 7

SELECT capture_id, session_id, answered_seq AS seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'A prompt was answered ' || CASE WHEN json_exists(answer, '$.action') THEN 'with an action that does not exist.' ELSE 'without an action.' END AS message,
    json_object('rpc_id', wire_id, 'prompt_seq', seq, 'action', cut((answer -> '$.action')::VARCHAR, 80)) AS evidence
FROM prompts e
WHERE kind = 'elicitation' AND answer IS NOT NULL AND NOT coalesce(json_exists(answer, '$.task'), false)
    AND coalesce(json_extract_string(answer, '$.action'), '') NOT IN ('accept', 'decline', 'cancel')
