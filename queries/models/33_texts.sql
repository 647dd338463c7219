-- id: texts
-- title: The texts of messages that are read again
-- table: m_texts
-- why: what was sent is most of a database; whatever is said of prompts, of their answers, of lists of tools and of tasks
--   reads these few texts, which are taken out of it in one pass. What is not here is read from `messages`

WITH told AS (
    SELECT x.capture_id, unnest([x.seq, x.answer_seq]) AS seq
    FROM exchanges x
    WHERE x.method IN ('tools/list', 'tasks/result')
    UNION
    SELECT l.capture_id, l.seq
    FROM m_lines l
    WHERE (l.direction = 'c2s' AND l.kind IN ('result', 'error'))
        OR (l.direction = 's2c' AND l.kind = 'request')
        OR l.input_keys IS NOT NULL OR l.task_id IS NOT NULL OR l.error_code = -32042
    UNION
    SELECT x.capture_id, x.seq
    FROM exchanges x
    JOIN m_lines a ON a.session_id = x.session_id AND a.seq = x.answer_seq AND a.input_keys IS NOT NULL
)
SELECT m.capture_id, m.seq, m.raw
FROM messages m
SEMI JOIN told t ON t.capture_id = m.capture_id AND t.seq = m.seq
