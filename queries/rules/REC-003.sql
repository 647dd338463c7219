-- id: REC-003
-- title: A message that could not be stored
-- severity: policy
-- confidence: high
-- party: either
-- revisions: all
-- when: messages: redaction_error IS NOT NULL
-- why: Redaction failed, so its text was left out to be safe. What it said is not on record.
-- fix: See what the error says; report it, for this is a fault of the recorder.
-- source: derived
-- frameworks: ISO 27001 A.8.15, SOC 2 CC7.2

SELECT capture_id, session_id, min(seq) AS seq, direction AS subject,
    count(*) || ' message(s) were stored without their text.' AS message,
    json_object('count', count(*), 'seqs', list(seq ORDER BY seq)[1:5], 'error', cut(arg_min(redaction_error, seq), 200)) AS evidence
FROM traffic
WHERE redaction_error IS NOT NULL
GROUP BY capture_id, session_id, direction
