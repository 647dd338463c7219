-- id: LIF-007
-- title: A request without the revision and capabilities in its _meta
-- severity: violation
-- confidence: high
-- party: client
-- revisions: 2026-07-28
-- why: A stateless server knows nothing of its client but what each request says; without capabilities it must not
--   prompt.
-- fix: Put `protocolVersion` and `clientCapabilities` into the `_meta` of every request.
-- source: 2026-07-28 basic/index:368,380
-- frameworks: MCP conformance

WITH asked AS (
    SELECT t.*, js(t.raw) AS doc
    FROM traffic t
    WHERE t.kind = 'request' AND t.direction = 'c2s' AND t.revision = '2026-07-28' AND t.raw IS NOT NULL AND t.method <> 'initialize'
)
SELECT capture_id, session_id, min(seq) AS seq, method AS subject,
    count(*) || ' request(s) ' || method || ' do not name ' || if(bool_or(protocol IS NULL), 'the revision', 'the capabilities') || ' in _meta.' AS message,
    json_object('rpc_id', rid(arg_min(rpc_id, seq), arg_min(rpc_id_type, seq)), 'count', count(*), 'seqs', list(seq ORDER BY seq)[1:5]) AS evidence
FROM asked
WHERE doc IS NOT NULL AND (protocol IS NULL OR coalesce(json_type(doc, '/params/_meta/io.modelcontextprotocol~1clientCapabilities'), '') <> 'OBJECT')
GROUP BY capture_id, session_id, method
