-- id: ELI-031
-- title: One elicitationId for two prompts
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-11-25
-- needs: #prompts
-- when: elicitations: elicitation_id IS NOT NULL
-- why: A completion under this id ends either of them.
-- fix: Make a new id for each url prompt.
-- source: 2025-11-25 schema.ts:2197
-- frameworks: MCP conformance

WITH uses AS (
    SELECT *, lag(seq) OVER w AS before, lag(fingerprint) OVER w AS fingerprint_before, lag(url) OVER w AS url_before
    FROM prompts
    WHERE kind = 'elicitation' AND elicitation_id IS NOT NULL
    WINDOW w AS (PARTITION BY session_id, elicitation_id ORDER BY seq, item)
)
SELECT capture_id, session_id, seq, cut(elicitation_id, 100) AS subject,
    'Two different url prompts have the same elicitationId.' AS message,
    json_object('rpc_id', wire_id, 'elicitation_id', cut(elicitation_id, 100), 'first_seq', before) AS evidence
FROM uses
WHERE before IS NOT NULL AND (fingerprint <> fingerprint_before OR url IS DISTINCT FROM url_before)
