-- id: HTP-012
-- title: A POST that does not accept both JSON and an event stream
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #http
-- why: The server chooses between the two; a client that takes only one may be refused.
-- fix: Send `Accept: application/json, text/event-stream` on every POST.
-- source: 2025-11-25 basic/transports:92; 2026-07-28 basic/transports/streamable-http:76
-- frameworks: MCP conformance

SELECT w.capture_id, w.session_id, min(w.seq) AS seq, coalesce(w.accept, 'no Accept') AS subject,
    count(*) || if(count(*) = 1, ' POST', ' POSTs') || ' came with '
        || coalesce('Accept ' || cut(w.accept, 80), 'no Accept') || '.' AS message,
    json_object('exchanges', list(w.exchange ORDER BY w.seq)[:20], 'accept', w.accept) AS evidence
FROM web w
WHERE w.http_method = 'POST' AND w.sent > 0 AND NOT w.old AND NOT (
    regexp_matches(lower(coalesce(w.accept, '')), 'application/json|application/\*|\*/\*')
    AND regexp_matches(lower(coalesce(w.accept, '')), 'text/event-stream|text/\*|\*/\*')
)
GROUP BY w.capture_id, w.session_id, w.accept
