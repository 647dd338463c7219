-- id: certain
-- title: Prompts whose call the protocol names, or that can have only one
-- table: m_certain
-- why: explicit evidence first; then the only call that stood open; what is left is inferred or stays open

SELECT
    a.session_id, a.seq, a.item,
    CASE
        WHEN a.carriage IN ('input_required', 'url_required') THEN x.seq
        WHEN t.call_seq IS NOT NULL THEN t.call_seq
        WHEN s.requests = 1 THEN s.seq
        WHEN o.open_calls = 1 AND NOT o.just_cancelled THEN o.only_seq
    END AS parent_seq,
    CASE
        WHEN a.carriage IN ('input_required', 'url_required') AND x.seq IS NOT NULL THEN 'explicit'
        WHEN t.call_seq IS NOT NULL OR s.requests = 1 THEN 'explicit'
        WHEN o.open_calls = 1 AND NOT o.just_cancelled THEN 'deduced'
        WHEN coalesce(o.open_calls, 0) = 0 AND NOT coalesce(o.just_cancelled, false) THEN 'none'
    END AS tier,
    CASE
        WHEN a.carriage = 'input_required' AND x.seq IS NOT NULL THEN 'it stands in the answer to request ' || x.rpc_id
        WHEN a.carriage = 'url_required' AND x.seq IS NOT NULL THEN 'it stands in the error that answered request ' || x.rpc_id
        WHEN t.call_seq IS NOT NULL THEN 'it names the task ' || a.task_id || ', which request ' || p.rpc_id || ' made'
        WHEN s.requests = 1 AND s.resumed THEN 'it came on a stream that resumes the answer to request ' || q.rpc_id
        WHEN s.requests = 1 THEN 'it came on the stream that answers request ' || q.rpc_id
        WHEN o.open_calls = 1 AND NOT o.just_cancelled THEN 'call ' || c.rpc_id || ' was the only one open when it was asked'
        WHEN coalesce(o.open_calls, 0) = 0 THEN 'no call was open when it was asked'
    END AS evidence
FROM m_asked a
LEFT JOIN exchanges x ON x.capture_id = a.capture_id AND x.answer_seq = a.seq AND a.carriage <> 'request'
LEFT JOIN tasks t ON t.session_id = a.session_id AND t.task_id = a.task_id AND t.call_seq IS NOT NULL
LEFT JOIN exchanges p ON p.capture_id = a.capture_id AND p.seq = t.call_seq
LEFT JOIN m_streams s ON s.capture_id = a.capture_id AND s.channel = a.channel AND s.session_id = a.session_id AND a.channel > 0
LEFT JOIN exchanges q ON q.capture_id = a.capture_id AND q.seq = s.seq
LEFT JOIN m_open o ON o.session_id = a.session_id AND o.seq = a.seq
LEFT JOIN exchanges c ON c.capture_id = a.capture_id AND c.seq = o.only_seq
