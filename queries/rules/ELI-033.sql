-- id: ELI-033
-- title: A page was opened and nothing came of it
-- severity: info
-- confidence: medium
-- party: either
-- revisions: 2025-11-25
-- needs: #prompts
-- when: elicitations: url_status = 'dangling'
-- why: The user consented; whether they finished is not on record.
-- fix: Send `notifications/elicitation/complete` when the page is done, and retry the call in the client.
-- source: 2025-11-25 client/elicitation:398
-- frameworks: ISO 27001 A.8.15

SELECT capture_id, session_id, seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'A url prompt was accepted, and neither a completion nor a retry followed.' AS message,
    json_object('rpc_id', wire_id, 'elicitation_id', cut(elicitation_id, 100), 'url', cut(url, 200)) AS evidence
FROM prompts
WHERE kind = 'elicitation' AND mode = 'url' AND action = 'accept' AND url_status = 'dangling' AND end_reason <> 'open'
