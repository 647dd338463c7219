-- id: PRG-004
-- title: One progress token for two open requests
-- severity: violation
-- confidence: high
-- party: either
-- revisions: all
-- why: Progress under this token may belong to either request.
-- fix: Give every request a token of its own.
-- source: 2025-11-25 progress:17
-- frameworks: MCP conformance

WITH twice AS (
    SELECT session_id, direction, token, token_type FROM exchanges WHERE token IS NOT NULL GROUP BY ALL HAVING count(*) > 1
), uses AS (
    SELECT *, lag(seq) OVER w AS before, lag(end_seq) OVER w AS end_before, lag(method) OVER w AS method_before
    FROM exchanges
    SEMI JOIN twice USING (session_id, direction, token, token_type)
    WHERE token IS NOT NULL AND (channel = 0 OR coalesce(protocol, '') <> '2026-07-28')
    WINDOW w AS (PARTITION BY session_id, direction, token_type, token ORDER BY seq)
)
SELECT capture_id, session_id, seq, method AS subject,
    method || ' gave the progress token ' || rid(token, token_type) || ' while ' || method_before || ' was still open with it.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'token', rid(token, token_type), 'first_seq', before) AS evidence
FROM uses
WHERE before IS NOT NULL AND (end_before IS NULL OR end_before > seq)
