-- id: PRG-002
-- title: Progress that does not grow
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- needs: notifications/progress
-- why: A bar that stands or runs backwards is read as a hang, and gets the call cancelled.
-- fix: Raise `progress` with every notification.
-- source: 2025-11-25 progress:53
-- frameworks: MCP conformance

WITH steps AS (
    SELECT t.capture_id, t.session_id, t.seq, t.token, t.token_type, t.direction, t.sse_id, x.seq AS request,
        TRY_CAST(json_extract_string(js(m.raw), '$.params.progress') AS DOUBLE) AS progress
    FROM lines t
    JOIN m_texts m ON m.capture_id = t.capture_id AND m.seq = t.seq
    ASOF JOIN exchanges x ON x.capture_id = t.capture_id AND x.token = t.token AND x.token_type = t.token_type AND x.seq < t.seq
    WHERE t.method = 'notifications/progress' AND t.kind = 'notification'
        AND json_type(js(m.raw), '$.params.progress') IN ('UBIGINT', 'BIGINT', 'DOUBLE', 'HUGEINT', 'UHUGEINT')
), pairs AS (
    SELECT *, lag(progress) OVER w AS before, lag(sse_id) OVER w AS sse_before
    FROM steps
    WINDOW w AS (PARTITION BY capture_id, direction, token, token_type, request ORDER BY seq)
)
SELECT capture_id, session_id, min(seq) AS seq, token AS subject,
    'Progress went from ' || arg_min(before, seq) || ' to ' || arg_min(progress, seq) || '.' AS message,
    json_object('token', rid(token, token_type), 'request_seq', request, 'times', count(*)) AS evidence
FROM pairs
WHERE progress <= before AND (sse_id IS NULL OR sse_id IS DISTINCT FROM sse_before)
GROUP BY capture_id, session_id, token, token_type, request
