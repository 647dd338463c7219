-- id: MRT-014
-- title: A call that asks in too many rounds
-- severity: info
-- confidence: high
-- party: either
-- revisions: 2026-07-28
-- needs: #asks
-- why: SDKs stop after ten rounds, and so do people.
-- fix: Gather the questions of one call in few rounds.
-- source: SDK cap
-- frameworks: EU AI Act Art. 14
-- param: most INTEGER = 10 | rounds that are still not too many

SELECT capture_id, session_id, seq, coalesce(tool, method) AS subject,
    coalesce(tool, method) || ' took ' || (len(legs) - 1) || ' rounds.' AS message,
    json_object('rpc_id', rid(rpc_id, rpc_id_type), 'rounds', len(legs) - 1) AS evidence
FROM calls
WHERE len(legs) - 1 > $most
