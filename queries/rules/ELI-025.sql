-- id: ELI-025
-- title: A burst of prompts
-- severity: info
-- confidence: medium
-- party: client
-- revisions: 2025-06-18, 2025-11-25
-- needs: #prompts
-- why: Nobody reads ten forms in ten seconds. Clients are to limit how fast prompts come, and answers given in a
--   burst are not decisions.
-- fix: Limit prompts a minute in the client; gather the questions of one call in one form in the server.
-- source: 2025-06-18 client/elicitation:326; 2025-11-25 client/elicitation:708
-- frameworks: EU AI Act Art. 14
-- param: most INTEGER = 10 | prompts in the window that are still no burst
-- param: window_s INTEGER = 10 | length of the window in seconds

WITH counted AS (
    SELECT *, count(*) OVER (PARTITION BY session_id ORDER BY asked_at RANGE BETWEEN to_seconds($window_s) PRECEDING AND CURRENT ROW) AS recent
    FROM prompts
    WHERE kind = 'elicitation'
)
SELECT capture_id, session_id, min(seq) AS seq, 'elicitation/create' AS subject,
    max(recent) || ' prompts came within ' || $window_s || ' s.' AS message,
    json_object('rpc_id', arg_min(wire_id, seq), 'most', max(recent), 'window_s', $window_s) AS evidence
FROM counted
WHERE recent > $most
GROUP BY capture_id, session_id
