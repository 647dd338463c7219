-- id: ELI-034
-- title: A completion notification that this revision does not have
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: notifications/elicitation/complete
-- why: In 2026-07-28 a client learns that a page is done by its retry; the notification is read by nobody.
-- fix: Leave it out.
-- source: 2026-07-28 changelog:53
-- frameworks: MCP conformance

SELECT capture_id, session_id, seq, method AS subject, 'The server sent notifications/elicitation/complete.' AS message,
    json_object('elicitation_id', cut(elicitation_id, 100)) AS evidence
FROM lines
WHERE method = 'notifications/elicitation/complete' AND direction = 's2c' AND revision = '2026-07-28'
