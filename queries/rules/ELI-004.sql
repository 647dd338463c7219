-- id: ELI-004
-- title: A prompt without a message, without a schema, or in a mode that does not exist
-- severity: violation
-- confidence: high
-- party: server
-- revisions: 2025-06-18, 2025-11-25, 2026-07-28
-- needs: #prompts
-- why: A person cannot decide on a question that is not there, and a client cannot draw a form without a schema.
-- fix: Send `message` (a string), and for forms `requestedSchema` (an object); `mode` is `form` or `url`.
-- source: 2025-11-25 client/elicitation:85,103
-- frameworks: MCP conformance, EU AI Act Art. 14

WITH looked AS (
    SELECT *, coalesce(json_type(params, '$.message'), '') AS message_type, json_type(params, '$.mode') AS mode_type,
        json_extract_string(params, '$.mode') AS said, coalesce(json_type(params, '$.requestedSchema'), '') AS schema_type
    FROM prompts
    WHERE kind = 'elicitation' AND params IS NOT NULL
), faults AS (
    SELECT *, CASE
        WHEN message_type <> 'VARCHAR' THEN 'no message'
        WHEN revision IS DISTINCT FROM '2025-06-18' AND mode_type IS NOT NULL AND (mode_type <> 'VARCHAR' OR said NOT IN ('form', 'url')) THEN 'a mode that does not exist'
        WHEN schema_type <> 'OBJECT' AND (mode_type IS NULL OR said = 'form' OR revision = '2025-06-18') THEN 'no requestedSchema' END AS fault
    FROM looked
)
SELECT capture_id, session_id, seq, coalesce(parent_tool, 'elicitation/create') AS subject,
    'A prompt has ' || fault || '.' AS message,
    json_object('rpc_id', wire_id, 'mode', cut(said, 40), 'message_type', message_type, 'schema_type', schema_type) AS evidence
FROM faults
WHERE fault IS NOT NULL
