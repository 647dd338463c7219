-- id: elicitation_fields
-- title: Fields that forms asked for
-- table: elicitation_fields
-- why: what a form asks for decides whether it may be a form

SELECT e.capture_id, f.*
FROM m_fields f
JOIN elicitations e USING (session_id, seq, item)
