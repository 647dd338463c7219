-- id: listings
-- title: Results of tools/list
-- kind: table
-- table: listings
-- needs: tools/list
-- why: rules about the tools of a server read these few results, and what each says is taken out of its text once

SELECT capture_id, session_id, seq, answer_seq, channel, protocol, answer_bytes,
    coalesce(json_type(asked, '$.params.cursor'), 'NULL') = 'NULL' AS first_page,
    coalesce(json_type(answer, '$.result.nextCursor'), 'NULL') = 'NULL' AS last_page,
    json_type(answer, '$.result.tools') AS tools_type,
    json_extract_string(answer, '$.result.tools[*].name') AS names,
    len(json_extract(answer, '$.result.tools[*].outputSchema')) > 0 AS schemas,
    md5((answer -> '$.result.tools')::VARCHAR) AS digest
FROM (
    SELECT x.capture_id, x.session_id, x.seq, x.answer_seq, x.channel, x.protocol, l.bytes AS answer_bytes,
        js(q.raw) AS asked, js(a.raw) AS answer
    FROM exchanges x
    JOIN m_texts q ON q.capture_id = x.capture_id AND q.seq = x.seq
    JOIN m_texts a ON a.capture_id = x.capture_id AND a.seq = x.answer_seq
    JOIN m_lines l ON l.session_id = x.session_id AND l.seq = x.answer_seq
    WHERE x.method = 'tools/list' AND x.answer_kind = 'result'
)
