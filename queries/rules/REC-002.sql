-- id: REC-002
-- title: A message that only lenient readers take
-- severity: warning
-- confidence: high
-- party: either
-- revisions: all
-- when: messages: lenient
-- why: NaN, lone surrogates and the like are no JSON; a strict peer drops the message, and with it a call or an
--   answer.
-- fix: Write strict JSON in UTF-8.
-- source: 2025-11-25 basic/transports:33
-- frameworks: CWE-436

SELECT capture_id, session_id, min(seq) AS seq, direction AS subject,
    count(*) || ' message(s) of the ' || if(direction = 'c2s', 'client', 'server') || ' are no strict JSON.' AS message,
    json_object('count', count(*), 'seqs', list(seq ORDER BY seq)[1:5]) AS evidence
FROM traffic
WHERE lenient
GROUP BY capture_id, session_id, direction
