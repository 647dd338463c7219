-- id: health
-- title: What is wrong with the record
-- why: where something is missing, absence proves nothing

SELECT * FROM (
    SELECT c.capture_id AS capture, c.started_at, coalesce(c.name, c.cmd[1], c.upstream, c.source) AS server, 'damaged journal' AS problem, i.problem AS detail
    FROM ingested i JOIN captures c USING (capture_id) WHERE i.problem IS NOT NULL
    UNION ALL
    SELECT capture_id, started_at, coalesce(name, cmd[1], upstream, source), 'gap',
        lost_bytes || ' bytes' || coalesce(' (' || lost_messages || ' messages)', '') || ' passed unrecorded'
    FROM captures WHERE lost_bytes > 0
    UNION ALL
    SELECT capture_id, started_at, coalesce(name, cmd[1], upstream, source), 'not sealed', 'still recording, or its recorder was killed'
    FROM captures WHERE NOT sealed
    UNION ALL
    SELECT m.capture_id, any_value(c.started_at), any_value(coalesce(c.name, c.cmd[1], c.upstream, c.source)), 'messages without text',
        count(*) || ' messages could not be redacted, and were stored without their text'
    FROM messages m JOIN captures c USING (capture_id) WHERE m.redaction_error IS NOT NULL GROUP BY m.capture_id
    UNION ALL
    SELECT capture_id, started_at, coalesce(name, cmd[1], upstream, source), 'directions inferred', 'the imported file did not say who sent what'
    FROM captures WHERE inferred_directions
)
ORDER BY started_at, capture, problem
