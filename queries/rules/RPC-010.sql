-- id: RPC-010
-- title: A batch where the revision has none
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- overrides: severity
-- when: messages: batch IS NOT NULL
-- why: Batches exist in 2025-03-26 only; elsewhere a peer may refuse or drop the whole array. There, too,
--   `initialize` stands alone.
-- fix: Send messages one by one.
-- source: 2025-03-26 basic/index:95; 2025-03-26 basic/lifecycle:72; 2025-06-18 changelog:12
-- frameworks: MCP conformance

WITH batches AS (
    SELECT capture_id, session_id, direction, seq - batch AS first, any_value(revision) AS revision, count(*) AS members,
        bool_or(method = 'initialize') AS initialize
    FROM lines
    WHERE batch IS NOT NULL
    GROUP BY ALL
)
SELECT capture_id, session_id, first AS seq, direction AS subject,
    CASE WHEN revision = '2025-03-26' THEN 'initialize was sent inside a batch.'
        ELSE 'A batch of ' || members || ' was sent, which revision ' || revision || ' does not have.' END AS message,
    json_object('members', members, 'revision', revision, 'direction', direction) AS evidence,
    CASE WHEN revision = '2024-11-05' THEN 'warning' END AS severity
FROM batches
WHERE revision IN ('2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28') OR (revision = '2025-03-26' AND initialize)
