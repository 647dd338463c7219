-- id: texts
-- title: The texts of messages that are read again
-- table: m_texts
-- why: what was sent is most of a database, and compressed; whatever is said of handshakes, of prompts, of their answers, of
--   the calls that were open meanwhile, of lists of tools, of progress and of tasks reads these texts, which are taken out
--   of it in one pass. A step that needs more has it added (`auditor.analysis.texts`)

WITH calls AS (
    SELECT l.capture_id, l.session_id, l.seq, l.method, p.answer_seq
    FROM m_lines l
    JOIN m_pairs p ON p.session_id = l.session_id AND p.seq = l.seq
    WHERE l.kind = 'request' AND l.direction = 'c2s' AND l.method IN ('tools/call', 'prompts/get', 'resources/read',
        'initialize', 'server/discover', 'tools/list', 'tasks/result')
), meanwhile AS (
    SELECT c.capture_id, c.seq, c.answer_seq
    FROM calls c
    ASOF JOIN (
        SELECT session_id, seq AS asked_seq FROM m_lines
        WHERE kind = 'request' AND direction = 's2c' AND method IN ('elicitation/create', 'sampling/createMessage', 'roots/list')
    ) a ON a.session_id = c.session_id AND c.seq <= a.asked_seq
    WHERE c.answer_seq IS NULL OR c.answer_seq > a.asked_seq
), told AS (
    SELECT capture_id, unnest([seq, answer_seq]) AS seq
    FROM calls
    WHERE method IN ('initialize', 'server/discover', 'tools/list', 'tasks/result')
    UNION
    SELECT capture_id, unnest([seq, answer_seq]) FROM meanwhile
    UNION
    SELECT capture_id, seq
    FROM m_lines
    WHERE (direction = 'c2s' AND kind IN ('result', 'error'))
        OR (direction = 's2c' AND kind = 'request')
        OR input_keys IS NOT NULL OR task_id IS NOT NULL OR error_code = -32042
        OR method = 'notifications/progress'
    UNION
    SELECT c.capture_id, c.seq
    FROM calls c
    JOIN m_lines a ON a.session_id = c.session_id AND a.seq = c.answer_seq
    WHERE a.input_keys IS NOT NULL OR a.task_id IS NOT NULL OR a.error_code = -32042
    UNION
    SELECT any_value(capture_id), unnest([
        max(seq) FILTER (kind = 'request' AND direction = 'c2s' AND protocol >= '2026' AND method <> 'initialize'),
        min(seq) FILTER (kind = 'result' AND direction = 's2c' AND result_type = 'complete')
    ])
    FROM m_lines
    WHERE protocol >= '2026' OR result_type = 'complete'
    GROUP BY session_id
)
SELECT m.capture_id, m.seq, m.raw
FROM messages m
SEMI JOIN told t ON t.capture_id = m.capture_id AND t.seq = m.seq
