-- id: SUB-003
-- title: A notification that does not name its subscription
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- why: With several streams open a client cannot tell whom it is for.
-- fix: Put `io.modelcontextprotocol/subscriptionId` into its `_meta`.
-- source: 2026-07-28 basic/index:412
-- frameworks: MCP conformance

SELECT capture_id, session_id, min(seq) AS seq, method AS subject,
    count(*) || ' notification(s) ' || method || ' name no subscription.' AS message,
    json_object('count', count(*), 'seqs', list(seq ORDER BY seq)[1:5]) AS evidence
FROM traffic
WHERE kind = 'notification' AND direction = 's2c' AND revision = '2026-07-28'
    AND method IN ('notifications/tools/list_changed', 'notifications/prompts/list_changed', 'notifications/resources/list_changed',
        'notifications/resources/updated', 'notifications/subscriptions/acknowledged')
    AND js(raw) IS NOT NULL AND NOT json_exists(js(raw), '/params/_meta/io.modelcontextprotocol~1subscriptionId')
GROUP BY capture_id, session_id, method
