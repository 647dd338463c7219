-- id: MRT-010
-- title: One state sent twice
-- severity: warning
-- confidence: medium
-- party: client
-- revisions: 2026-07-28
-- needs: #asks
-- why: The same answers start the same work twice, unless the server keeps count.
-- fix: Send a retry again only when its answer was lost.
-- source: 2026-07-28 basic/patterns/mrtr:234-243
-- frameworks: MCP conformance, CWE-294

WITH sent AS (
    SELECT x.*, m.state, lag(x.seq) OVER w AS before, lag(x.answer_seq) OVER w AS answered_before
    FROM exchanges x
    JOIN messages m ON m.capture_id = x.capture_id AND m.seq = x.seq
    WHERE x.direction = 'c2s' AND m.state IS NOT NULL
    WINDOW w AS (PARTITION BY x.session_id, m.state, m.params_hash ORDER BY x.seq)
)
SELECT s.capture_id, s.session_id, s.seq, coalesce(s.tool, s.method) AS subject,
    'A retry of ' || coalesce(s.tool, s.method) || ' sends a requestState again that was already answered.' AS message,
    json_object('rpc_id', rid(s.rpc_id, s.rpc_id_type), 'first_seq', s.before, 'answered_seq', s.answered_before) AS evidence
FROM sent s
WHERE s.answered_before < s.seq
    AND NOT EXISTS (FROM asks k WHERE k.session_id = s.session_id AND k.state = s.state AND k.answer_seq > s.before AND k.answer_seq < s.seq)
