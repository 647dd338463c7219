-- id: HTP-003
-- title: Header and body name different revisions, and the server took it
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2026-07-28
-- needs: #http
-- why: What stands between client and server decides by the header, the server by the body: the two must be refused when
--   they disagree.
-- fix: Answer 400 with the error -32020 when `MCP-Protocol-Version` is not the revision in `_meta`.
-- source: 2026-07-28 basic/transports/streamable-http:257
-- frameworks: MCP conformance

SELECT w.capture_id, w.session_id, w.seq, w.protocol_sent AS subject,
    'The request says ' || w.protocol_said || ', its header ' || w.protocol_sent || '; the server answered with status '
        || w.status || ' instead of refusing it.' AS message,
    json_object('exchange', w.exchange, 'header', w.protocol_sent, 'body', w.protocol_said, 'status', w.status) AS evidence
FROM web w
WHERE w.protocol_sent <> w.protocol_said AND NOT w.opens AND w.status IS NOT NULL AND w.requests > 0
    AND NOT (w.status = 400 AND EXISTS (
        SELECT 1 FROM messages m
        WHERE m.capture_id = w.capture_id AND m.channel = w.exchange AND m.direction = 's2c' AND m.error_code = -32020
    ))
