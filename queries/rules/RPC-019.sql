-- id: RPC-019
-- title: An error under the wrong HTTP status
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: #http
-- why: Gateways and clients read the status before the body: with 200 a method that does not exist counts as
--   served.
-- fix: Answer with 404 for `-32601`, and with 400 for `-32020`, `-32021` and `-32022`.
-- source: 2026-07-28 basic/transports/streamable-http:265-272; 2026-07-28 basic/index:392
-- frameworks: MCP conformance

WITH answers AS (
    SELECT capture_id, exchange, max(status) AS status, bool_or(coalesce(content_type, '') ILIKE '%event-stream%') AS streamed
    FROM http_facts
    WHERE direction = 's2c'
    GROUP BY ALL
)
SELECT t.capture_id, t.session_id, t.seq, t.error_code::VARCHAR AS subject,
    'The server answered with ' || t.error_code || ' under the HTTP status ' || h.status || '.' AS message,
    json_object('rpc_id', rid(t.rpc_id, t.rpc_id_type), 'code', t.error_code, 'status', h.status) AS evidence
FROM lines t
JOIN answers h ON h.capture_id = t.capture_id AND h.exchange = t.channel
WHERE t.kind = 'error' AND t.direction = 's2c' AND t.channel > 0 AND NOT h.streamed
    AND t.error_code IN (-32601, -32020, -32021, -32022) AND h.status <> CASE t.error_code WHEN -32601 THEN 404 ELSE 400 END
