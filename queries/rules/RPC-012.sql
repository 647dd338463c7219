-- id: RPC-012
-- title: A request that was never answered
-- severity: warning
-- confidence: high
-- party: either
-- revisions: all
-- overrides: confidence
-- when: exchanges: end_cause = 'session_end'
-- why: The caller waits for its timeout, and nobody knows whether the work was done. A person may sit before a
--   form that no one will read.
-- fix: Answer every request, with an error when it cannot be done; cancel what is no longer waited for.
-- source: 2025-11-25 basic/lifecycle:248
-- frameworks: SOC 2 CC7.2, ISO 27001 A.8.15

SELECT x.capture_id, x.session_id, x.seq, coalesce(x.tool, x.method) AS subject,
    x.method || coalesce(' of ' || x.tool, '') || ' was never answered; the session ended ' || spell(epoch_us(s.ended_at) - epoch_us(x.ts)) || ' later.' AS message,
    json_object('rpc_id', rid(x.rpc_id, x.rpc_id_type), 'direction', x.direction, 'end', s.end_reason) AS evidence,
    CASE WHEN s.lost_bytes > 0 THEN 'low' END AS confidence
FROM exchanges x
JOIN sessions s USING (session_id)
WHERE x.answer_seq IS NULL AND x.cancelled_seq IS NULL AND x.end_cause = 'session_end' AND s.end_reason <> 'open'
    AND x.method <> 'subscriptions/listen'
    AND NOT EXISTS (
        FROM http_facts h
        WHERE x.channel > 0 AND h.capture_id = x.capture_id AND h.exchange = x.channel AND h.status >= 400
    )
