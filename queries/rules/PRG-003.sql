-- id: PRG-003
-- title: Progress after the answer
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- needs: notifications/progress
-- overrides: confidence
-- why: The request is over for its caller; what still reports on it is work that nobody watches.
-- fix: Stop progress when the answer is sent.
-- source: 2025-11-25 progress:69-71,94
-- frameworks: MCP conformance

WITH late AS (
    SELECT t.capture_id, t.session_id, t.seq, t.token, t.token_type, t.channel, x.seq AS request, x.method, x.rpc_id, x.rpc_id_type, x.answer_seq, m.channel AS answered_on
    FROM lines t
    ASOF JOIN exchanges x ON x.capture_id = t.capture_id AND x.token = t.token AND x.token_type = t.token_type AND x.seq < t.seq
    JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.answer_seq
    WHERE t.method = 'notifications/progress' AND t.kind = 'notification' AND x.direction <> t.direction
        AND x.answer_seq < t.seq AND x.task_id IS NULL
)
SELECT capture_id, session_id, min(seq) AS seq, method AS subject,
    count(*) || ' progress notification(s) came after the answer to ' || method || '.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'token', rid(token, token_type), 'answer_seq', answer_seq, 'count', count(*)) AS evidence,
    CASE WHEN bool_or(channel <> answered_on) THEN 'low' END AS confidence
FROM late
GROUP BY capture_id, session_id, request, method, rpc_id, rpc_id_type, token, token_type, answer_seq
