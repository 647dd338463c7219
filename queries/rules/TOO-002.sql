-- id: TOO-002
-- title: A tool that changed without a word
-- severity: warning
-- confidence: high
-- party: server
-- revisions: all
-- needs: tools/list
-- why: What a person reviewed and allowed is not what runs. This is how a tool turns against its users.
-- fix: Send `notifications/tools/list_changed`, and have clients ask again for consent when a definition changes.
-- source: 2025-11-25 server/tools:152
-- frameworks: OWASP LLM03, SOC 2 CC8.1, CWE-494
-- check: tool_changed

WITH changed AS (
    SELECT session_id
    FROM listings
    WHERE digest IS NOT NULL AND answer_bytes < 4000000 AND (channel = 0 OR coalesce(protocol, '') <> '2026-07-28')
    GROUP BY session_id
    HAVING count(DISTINCT digest) > 1
)
SELECT x.capture_id, x.session_id, list(x.answer_seq ORDER BY x.answer_seq) AS seqs, max(x.answer_seq) AS seq,
    list(a.raw ORDER BY x.answer_seq) AS lists,
    (SELECT list(t.seq) FROM m_lines t WHERE t.capture_id = x.capture_id AND t.method = 'notifications/tools/list_changed') AS told
FROM listings x
SEMI JOIN changed USING (session_id)
JOIN m_texts a ON a.capture_id = x.capture_id AND a.seq = x.answer_seq
WHERE a.raw IS NOT NULL AND x.answer_bytes < 4000000 AND (x.channel = 0 OR coalesce(x.protocol, '') <> '2026-07-28')
GROUP BY x.capture_id, x.session_id
HAVING count(*) > 1
