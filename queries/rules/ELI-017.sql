-- id: ELI-017
-- title: A form that asks for a secret
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- when: elicitation_fields: sensitive IS NOT NULL
-- why: What is typed into a form passes through the client, its model and its logs. Credentials asked for there
--   are disclosed.
-- fix: Send the user to a page of your own with a url prompt, or take the credential from the server's
--   configuration.
-- source: 2025-06-18 client/elicitation:32; 2025-11-25 client/elicitation:30,747; 2026-07-28 client/elicitation:30
-- frameworks: ISO 27001 A.5.17, SOC 2 CC6.1, PCI DSS 3, CWE-522, GDPR Art. 32

SELECT f.capture_id, f.session_id, f.seq, f.name AS subject,
    'The form' || coalesce(' of ' || e.parent_tool, '') || ' asks for a secret (' || f.sensitive || ') in the field ' || f.name || '.' AS message,
    json_object('rpc_id', e.wire_id, 'field', f.name, 'kind', f.sensitive, 'tool', e.parent_tool, 'outcome', e.outcome, 'answered', f.answered) AS evidence
FROM elicitation_fields f
JOIN prompts e USING (capture_id, seq, item)
WHERE e.kind = 'elicitation' AND e.mode = 'form' AND f.sensitive IS NOT NULL
    AND (f.sensitive <> 'id' OR e.revision = '2025-06-18')
