-- id: SUB-004
-- title: A subscription that ended without a word
-- severity: info
-- confidence: medium
-- party: either
-- revisions: 2026-07-28
-- needs: subscriptions/listen
-- why: The client cannot tell a server that is done from one that broke.
-- fix: Answer `subscriptions/listen`, or cancel it, when the stream ends.
-- source: 2026-07-28 basic/patterns/subscriptions:122; 2026-07-28 cancellation:11
-- frameworks: MCP conformance

SELECT x.capture_id, x.session_id, x.seq, x.method AS subject, 'A subscription ended with neither a result nor a cancellation.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'end', s.end_reason, 'cause', x.end_cause) AS evidence
FROM exchanges x
JOIN sessions s USING (session_id)
WHERE x.method = 'subscriptions/listen' AND x.answer_seq IS NULL AND x.cancelled_seq IS NULL
    AND (x.end_cause = 'stream_closed' OR (x.end_cause = 'session_end' AND s.end_reason IN ('server', 'crash')))
