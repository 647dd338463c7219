-- id: REC-004
-- title: Traffic that is not on record
-- severity: policy
-- confidence: high
-- party: either
-- revisions: all
-- when: sessions: lost_bytes > 0
-- why: Bytes passed that the recorder could not keep up with. In this capture absence proves nothing.
-- fix: Record with --lossless where completeness matters more than speed.
-- source: derived
-- frameworks: ISO 27001 A.8.15, SOC 2 CC7.2, EU AI Act Art. 12

SELECT s.capture_id, s.session_id, s.last_seq AS seq, 'gap' AS subject,
    s.lost_bytes || ' bytes passed without being recorded.' AS message,
    json_object('lost_bytes', s.lost_bytes) AS evidence
FROM sessions s
WHERE s.lost_bytes > 0
QUALIFY row_number() OVER (PARTITION BY s.capture_id ORDER BY s.first_seq) = 1
