-- id: ELI-030
-- title: A completion of a url prompt that nobody knows
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-11-25
-- needs: notifications/elicitation/complete
-- overrides: severity, confidence
-- why: The client cannot tell which page is done, and leaves its user waiting.
-- fix: Send `notifications/elicitation/complete` once, with the `elicitationId` of the prompt.
-- source: 2025-11-25 client/elicitation:404,408
-- frameworks: MCP conformance

WITH done AS (
    SELECT t.*, row_number() OVER (PARTITION BY t.session_id, t.elicitation_id ORDER BY t.seq) AS nth,
        EXISTS (FROM elicitations e WHERE e.capture_id = t.capture_id AND e.elicitation_id = t.elicitation_id AND e.seq < t.seq) AS known
    FROM traffic t
    WHERE t.method = 'notifications/elicitation/complete' AND t.direction = 's2c' AND t.raw IS NOT NULL
)
SELECT capture_id, session_id, seq, coalesce(elicitation_id, '') AS subject,
    CASE WHEN elicitation_id IS NULL THEN 'A completion names no elicitationId.' WHEN NOT known THEN 'A completion names an elicitationId that was never asked.'
        ELSE 'A url prompt was completed a second time.' END AS message,
    json_object('elicitation_id', cut(elicitation_id, 100)) AS evidence,
    CASE WHEN known THEN 'info' END AS severity,
    CASE WHEN lost_bytes > 0 OR NOT handshake THEN 'low' END AS confidence
FROM done
WHERE NOT known OR elicitation_id IS NULL OR nth > 1
