-- id: ELI-019
-- title: A url prompt that is already signed in
-- severity: violation
-- confidence: medium
-- party: server
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitations: mode = 'url'
-- why: Whoever gets hold of the URL acts as the user: the client, its logs, and whoever it forwards the link to.
-- fix: Let the page sign the user in, and check that it is the one who was asked.
-- source: 2025-11-25 client/elicitation:716
-- frameworks: CWE-598, CWE-522
-- check: url_signed_in

SELECT capture_id, session_id, seq, wire_id, parent_tool, url
FROM prompts
WHERE kind = 'elicitation' AND mode = 'url' AND url IS NOT NULL
