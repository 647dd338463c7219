-- id: ELI-021
-- title: A url prompt to a host that can be mistaken
-- severity: warning
-- confidence: medium
-- party: server
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitations: mode = 'url'
-- why: A host in punycode, in mixed scripts or as a bare address does not tell the user whose page it is.
-- fix: Use a plain host name that users know.
-- source: 2025-11-25 client/elicitation:732
-- frameworks: CWE-1007
-- check: url_host

SELECT capture_id, session_id, seq, wire_id, parent_tool, url
FROM prompts
WHERE kind = 'elicitation' AND mode = 'url' AND url IS NOT NULL
