-- id: ELI-020
-- title: A url prompt over plain http
-- severity: warning
-- confidence: high
-- party: server
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitations: mode = 'url'
-- why: What the user types on that page can be read and changed on the way.
-- fix: Use https; http only for an address of the user's own machine.
-- source: 2025-11-25 client/elicitation:718
-- frameworks: CWE-319, SOC 2 CC6.7
-- check: url_plain

SELECT capture_id, session_id, seq, wire_id, parent_tool, url
FROM prompts
WHERE kind = 'elicitation' AND mode = 'url' AND url IS NOT NULL
