-- id: TSX-010
-- title: A task ended with a question open
-- severity: warning
-- confidence: high
-- party: either
-- revisions: ext-tasks
-- needs: #tasks
-- when: elicitations: carriage = 'task'
-- why: The user sits before a form whose task is over.
-- fix: Answer or withdraw every question before the task ends.
-- source: derived
-- frameworks: EU AI Act Art. 14

SELECT capture_id, session_id, seq, coalesce(key, '') AS subject,
    'A task ended while ' || cut(key, 60) || ' was not answered.' AS message,
    json_object('rpc_id', wire_id, 'task', task_id, 'detail', detail) AS evidence
FROM prompts
WHERE carriage = 'task' AND outcome = 'abandoned_parent'
