-- id: credential-forms
-- title: Forms that asked for a credential
-- question: Which forms asked for a password, a key, a token or a card, and were they filled in?
-- frameworks: ISO 27001 A.5.17, SOC 2 CC6.1, PCI DSS 3, GDPR Art. 32

SELECT
    e.asked_at,
    s.server_name AS server,
    e.parent_tool AS tool,
    s.client_name AS client,
    f.name AS field,
    f.sensitive AS kind,
    f.title,
    e.message AS question,
    e.outcome,
    f.answered AS given,
    s.protocol AS revision,
    e.session_id AS session,
    e.seq
FROM elicitation_fields f
JOIN elicitations e ON e.capture_id = f.capture_id AND e.seq = f.seq AND e.item = f.item
LEFT JOIN sessions s ON s.session_id = e.session_id
WHERE f.sensitive IS NOT NULL AND e.kind = 'elicitation'
ORDER BY e.asked_at, e.session_id, e.seq, e.item, f.ordinal
