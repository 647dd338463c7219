-- id: ELI-032
-- title: The error -32042 without usable prompts
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-11-25
-- when: messages: error_code = -32042
-- why: The client learns that a page has to be opened, and not which.
-- fix: List url prompts, each with mode, url, message and elicitationId, under `data.elicitations`.
-- source: 2025-11-25 client/elicitation:428-430
-- frameworks: MCP conformance

WITH refused AS (
    SELECT t.*, js(t.raw) AS doc FROM traffic t WHERE t.kind = 'error' AND t.error_code = -32042 AND t.direction = 's2c' AND t.raw IS NOT NULL
), entries AS (
    SELECT r.capture_id, r.seq, bool_or(coalesce(json_extract_string(e.value, '$.mode'), '') <> 'url') AS not_url,
        bool_or(coalesce(json_type(e.value, '$.elicitationId'), '') <> 'VARCHAR') AS no_id, count(*) AS n
    FROM refused r, json_each(r.doc -> '$.error.data.elicitations') e
    WHERE json_type(r.doc, '$.error.data.elicitations') = 'ARRAY'
    GROUP BY ALL
)
SELECT r.capture_id, r.session_id, r.seq, '-32042' AS subject,
    CASE WHEN e.n IS NULL THEN 'The error -32042 lists no prompts.' WHEN e.not_url THEN 'The error -32042 lists a prompt that is not in mode url.'
        ELSE 'The error -32042 lists a prompt without elicitationId.' END AS message,
    json_object('rpc_id', rid(r.rpc_id, r.rpc_id_type), 'prompts', e.n) AS evidence
FROM refused r
LEFT JOIN entries e USING (capture_id, seq)
WHERE r.doc IS NOT NULL AND (e.n IS NULL OR e.not_url OR e.no_id)
