-- id: ELI-005
-- title: A url prompt without a URL that can be opened
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: prompts: json_extract_string(params, '$.mode') = 'url'
-- why: The user consents to a page that cannot be opened; without `elicitationId` (2025-11-25) nobody can tell
--   when they are done.
-- fix: Send an absolute `url`, and in 2025-11-25 an `elicitationId`.
-- source: 2025-11-25 client/elicitation:345-347; 2026-07-28 client/elicitation:338
-- frameworks: MCP conformance
-- check: url_usable

SELECT capture_id, session_id, seq, wire_id, revision, carriage, parent_tool, params
FROM prompts
WHERE kind = 'elicitation' AND params IS NOT NULL AND json_extract_string(params, '$.mode') = 'url'
