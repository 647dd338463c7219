-- id: orphans
-- title: What was left hanging
-- table: orphans
-- why: state that nobody released, answers that nobody asked for, and prompts that belong to nothing

WITH responses AS (
    SELECT l.capture_id, l.session_id, l.seq, l.direction, l.rpc_id, l.rpc_id_type, x.seq AS request_seq,
        x.method AS request_method, x.cancelled_seq
    FROM m_lines l
    LEFT JOIN exchanges x ON x.session_id = l.session_id AND x.answer_seq = l.seq
    WHERE l.kind IN ('result', 'error') AND (x.seq IS NULL OR x.cancelled_seq < l.seq)
), owed AS (
    SELECT r.session_id, r.seq, max(p.seq) AS named_seq
    FROM responses r
    LEFT JOIN m_pairs p ON p.session_id = r.session_id AND p.direction <> r.direction AND p.rpc_id_type = r.rpc_id_type
        AND p.rpc_id = r.rpc_id AND p.seq < r.seq
    WHERE r.request_seq IS NULL
    GROUP BY ALL
), tokens AS (
    SELECT session_id, token_type, token, direction, min(seq) AS seq
    FROM m_lines
    SEMI JOIN (SELECT session_id, token_type, token FROM m_lines WHERE method = 'notifications/progress') p
        USING (session_id, token_type, token)
    WHERE kind = 'request' AND token IS NOT NULL
    GROUP BY ALL
), found AS (
    SELECT CASE WHEN x.end_cause = 'cancelled' THEN 'request_unanswered' ELSE 'request_unanswered' END AS kind, x.capture_id, x.session_id, x.seq,
        x.rpc_id, x.rpc_id_type, x.method, x.direction,
        CASE x.end_cause WHEN 'cancelled' THEN 'cancelled, and never answered' WHEN 'stream_closed' THEN 'its stream was closed before an answer'
            WHEN 'id_reused' THEN 'its id was used again while it was open, so that no answer can be told to be its own'
            WHEN 'open' THEN 'not answered yet' ELSE 'never answered' END AS detail
    FROM exchanges x WHERE x.answer_seq IS NULL AND x.method <> 'subscriptions/listen'
    UNION ALL
    SELECT CASE WHEN o.named_seq IS NULL THEN 'response_unmatched' ELSE 'response_repeated' END, r.capture_id, r.session_id, r.seq,
        r.rpc_id, r.rpc_id_type, NULL, r.direction,
        CASE WHEN o.named_seq IS NULL THEN 'answers an id that nobody used' ELSE 'answers request ' || o.named_seq || ' once more' END
    FROM responses r JOIN owed o ON o.session_id = r.session_id AND o.seq = r.seq
    WHERE r.request_seq IS NULL
    UNION ALL
    SELECT 'response_after_cancel', r.capture_id, r.session_id, r.seq, r.rpc_id, r.rpc_id_type, r.request_method, r.direction,
        'answers a request that was cancelled before'
    FROM responses r WHERE r.cancelled_seq < r.seq
    UNION ALL
    SELECT 'prompt_without_call', e.capture_id, e.session_id, e.seq, e.rpc_id, e.rpc_id_type, m.method, 's2c',
        'asked while no call was open'
    FROM elicitations e JOIN m_lines m ON m.session_id = e.session_id AND m.seq = e.seq
    WHERE e.tier = 'none' AND e.carriage = 'request'
    UNION ALL
    SELECT 'prompt_open_at_call_end', e.capture_id, e.session_id, e.seq, e.rpc_id, e.rpc_id_type, m.method, 's2c',
        'its call ended while it stood open'
    FROM elicitations e
    JOIN m_lines m ON m.session_id = e.session_id AND m.seq = e.seq
    JOIN calls c ON c.session_id = e.session_id AND c.seq = e.root_seq
    WHERE e.carriage = 'request' AND e.tier IN ('explicit', 'deduced', 'inferred') AND c.end_seq > e.seq
        AND (e.answered_seq IS NULL OR e.answered_seq > c.end_seq)
    UNION ALL
    SELECT 'answer_after_call_end', e.capture_id, e.session_id, e.answered_seq, e.rpc_id, e.rpc_id_type, NULL, 'c2s',
        'answers a prompt whose call had ended'
    FROM elicitations e
    JOIN calls c ON c.session_id = e.session_id AND c.seq = e.root_seq
    WHERE e.carriage = 'request' AND e.tier IN ('explicit', 'deduced', 'inferred') AND e.answered_seq > c.end_seq
    UNION ALL
    SELECT 'url_never_completed', e.capture_id, e.session_id, e.seq, e.rpc_id, e.rpc_id_type, NULL, 's2c',
        'accepted, and never said to be completed'
    FROM elicitations e WHERE e.url_status = 'dangling'
    UNION ALL
    SELECT 'complete_unknown', l.capture_id, l.session_id, l.seq, NULL, NULL, l.method, l.direction,
        'completes an elicitationId that was never issued'
    FROM m_lines l
    WHERE l.method = 'notifications/elicitation/complete'
        AND NOT EXISTS (SELECT 1 FROM elicitations e WHERE e.session_id = l.session_id AND e.elicitation_id = l.elicitation_id)
    UNION ALL
    SELECT 'input_never_retried', c.capture_id, c.session_id, c.legs[-1].seq, c.legs[-1].rpc_id, c.legs[-1].rpc_id_type, c.method, 'c2s',
        'asked for input, and was never sent again'
    FROM calls c WHERE c.outcome = 'input_required'
    UNION ALL
    SELECT 'state_reused', l.capture_id, l.session_id, l.seq, l.rpc_id, l.rpc_id_type, l.method, 'c2s', 'sends a state that had been sent before'
    FROM m_legs g JOIN m_lines l ON l.session_id = g.session_id AND l.seq = g.seq WHERE g.reused
    UNION ALL
    SELECT 'retry_mismatch', l.capture_id, l.session_id, l.seq, l.rpc_id, l.rpc_id_type, l.method, 'c2s',
        CASE WHEN g.seq IS NULL THEN 'its state or keys fit nothing that stood open' ELSE 'it carries a state that was not issued' END
    FROM m_lines l LEFT JOIN m_legs g ON g.session_id = l.session_id AND g.seq = l.seq AND g.prev_seq IS NOT NULL
    WHERE l.kind = 'request' AND l.direction = 'c2s' AND l.method IN ('tools/call', 'prompts/get', 'resources/read')
        AND (l.state IS NOT NULL OR l.input_keys IS NOT NULL) AND (g.seq IS NULL OR (NOT g.sure AND l.state IS NOT NULL))
    UNION ALL
    SELECT 'task_unfinished', t.capture_id, t.session_id, coalesce(t.call_seq, t.last_seq), NULL, NULL, NULL, 'c2s',
        'task ' || t.task_id || ' never came to an end' || coalesce('; last seen ' || t.status, '')
    FROM tasks t WHERE NOT t.terminal
    UNION ALL
    SELECT 'task_result_unfetched', t.capture_id, t.session_id, t.end_seq, NULL, NULL, NULL, 'c2s',
        'the result of task ' || t.task_id || ' was never fetched'
    FROM tasks t WHERE t.terminal AND t.result_seq IS NULL AND t.status = 'completed'
    UNION ALL
    SELECT 'progress_unknown', l.capture_id, l.session_id, l.seq, NULL, NULL, l.method, l.direction, 'names a token that no request gave'
    FROM m_lines l
    LEFT JOIN tokens t ON t.session_id = l.session_id AND t.token_type = l.token_type AND t.token = l.token AND t.direction <> l.direction
        AND t.seq < l.seq
    WHERE l.method = 'notifications/progress' AND l.kind = 'notification' AND t.seq IS NULL
    UNION ALL
    SELECT 'subscription_unacknowledged', x.capture_id, x.session_id, x.seq, x.rpc_id, x.rpc_id_type, x.method, x.direction,
        'never acknowledged'
    FROM exchanges x
    WHERE x.method = 'subscriptions/listen' AND x.answer_seq IS NULL
        AND NOT EXISTS (SELECT 1 FROM m_lines l WHERE l.session_id = x.session_id AND l.seq > x.seq
            AND l.method = 'notifications/subscriptions/acknowledged')
    UNION ALL
    SELECT 'subscription_left', capture_id, session_id, seq, rpc_id, rpc_id_type, method, direction, 'subscribed, and never unsubscribed'
    FROM (
        SELECT x.*, row_number() OVER (PARTITION BY x.session_id, x.tool, m.uri ORDER BY x.seq DESC) AS n
        FROM exchanges x
        JOIN (SELECT capture_id, seq, TRY(json_extract_string(TRY_CAST(raw AS JSON), '$.params.uri')) AS uri FROM messages
            WHERE method IN ('resources/subscribe', 'resources/unsubscribe')) m ON m.capture_id = x.capture_id AND m.seq = x.seq
    )
    WHERE n = 1 AND method = 'resources/subscribe'
    UNION ALL
    SELECT 'session_uninitialized', s.capture_id, s.session_id, s.first_seq, NULL, NULL, NULL, 'c2s', 'its handshake was never completed'
    FROM sessions s
    WHERE NOT s.handshake AND EXISTS (SELECT 1 FROM m_lines l WHERE l.session_id = s.session_id AND l.method = 'initialize')
    UNION ALL
    SELECT 'session_ended_open', s.capture_id, s.session_id, s.last_seq, NULL, NULL, NULL,
        CASE WHEN s.end_reason IN ('server', 'crash') THEN 's2c' ELSE 'c2s' END,
        'ended with ' || n.open || ' requests open'
    FROM sessions s
    JOIN (SELECT session_id, count(*) AS open FROM exchanges WHERE end_cause = 'session_end' GROUP BY ALL) n USING (session_id)
)
SELECT kind, capture_id, session_id, seq, rpc_id, rpc_id_type, method, direction, detail FROM found
