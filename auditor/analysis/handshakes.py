"""What client and server say of themselves: from initialize and its answer, server/discover, or a request's `_meta`."""

from typing import Any

import duckdb
import msgspec

from auditor.analysis import texts
from auditor.analysis.rows import encode, fetch, put
from auditor.wire.jsontext import Parsed, parse

_META = "io.modelcontextprotocol/"
_COLUMNS = {
    "session_id": "VARCHAR", "client_name": "VARCHAR", "client_version": "VARCHAR", "server_name": "VARCHAR",
    "server_version": "VARCHAR", "protocol": "VARCHAR", "client_capabilities": "VARCHAR",
    "server_capabilities": "VARCHAR", "handshake": "BOOLEAN",
}  # fmt: skip

# The few messages of each session that can say it, with what they are.
_PICKED = """
WITH asked AS (
    SELECT session_id, min(seq) FILTER (method = 'initialize') AS init,
        min(seq) FILTER (method = 'server/discover') AS discover,
        max(seq) FILTER (protocol >= '2026' AND method <> 'initialize') AS latest
    FROM m_lines
    WHERE kind = 'request' AND direction = 'c2s'
        AND (method IN ('initialize', 'server/discover') OR protocol >= '2026')
    GROUP BY ALL
), answered AS (
    SELECT a.session_id, r.method, min(a.seq) AS seq
    FROM m_lines a
    JOIN (SELECT l.* FROM m_lines l JOIN asked k ON k.session_id = l.session_id AND l.seq IN (k.init, k.discover)) r
        ON r.session_id = a.session_id AND r.rpc_id_type = a.rpc_id_type AND r.rpc_id = a.rpc_id AND a.seq > r.seq
    WHERE a.kind = 'result' AND a.direction = 's2c'
    GROUP BY ALL
), replied AS (
    SELECT session_id, min(seq) AS seq
    FROM m_lines WHERE kind = 'result' AND direction = 's2c' AND result_type = 'complete' GROUP BY ALL
), picked AS (
    SELECT session_id, 'initialize' AS what, init AS seq FROM asked WHERE init IS NOT NULL
    UNION ALL SELECT session_id, 'request', latest FROM asked WHERE latest IS NOT NULL
    UNION ALL SELECT session_id, 'replied', seq FROM replied
    UNION ALL
    SELECT session_id, CASE method WHEN 'initialize' THEN 'initialized' ELSE 'discovered' END, seq FROM answered
)
SELECT s.capture_id, p.session_id, p.what, p.seq
FROM picked p
JOIN m_spans s ON s.session_id = p.session_id
"""
_SAYING = f"""
SELECT p.session_id, p.what, m.raw, l.protocol, r.session_id IS NOT NULL
FROM ({_PICKED}) p
JOIN m_texts m ON m.capture_id = p.capture_id AND m.seq = p.seq
JOIN m_lines l ON l.session_id = p.session_id AND l.seq = p.seq
LEFT JOIN (SELECT DISTINCT session_id FROM m_lines WHERE method = 'notifications/initialized') r
    ON r.session_id = p.session_id
ORDER BY p.session_id
"""  # noqa: S608


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """Make `m_handshakes`: one row a session that says anything."""
    texts.add(con, _PICKED)
    found: dict[str, dict[str, Any]] = {}
    for session, what, raw, protocol, ready in fetch(con, _SAYING):
        facts = found.setdefault(session, {"ready": ready})
        facts[what] = (message_object(raw), protocol)
    put(con, "m_handshakes", _COLUMNS, ((session, *_said(facts)) for session, facts in found.items()))


def message_object(raw: str | None) -> dict[str, Any]:
    """A stored message decoded; empty when it is no object or was not stored."""
    parsed = parse(raw.encode("utf-8", "surrogatepass")) if raw else None
    return parsed.value if isinstance(parsed, Parsed) and isinstance(parsed.value, dict) else {}


def _said(facts: dict[str, Any]) -> tuple[Any, ...]:
    opened, asked = facts.get("initialize", ({}, None))
    answer, negotiated = facts.get("initialized", ({}, None))
    request, per_request = facts.get("request", ({}, None))
    discovered, _ = facts.get("discovered", ({}, None))
    replied, _ = facts.get("replied", ({}, None))
    params, result = _dict(opened.get("params")), _dict(answer.get("result"))
    meta, found = _dict(_dict(request.get("params")).get("_meta")), _dict(discovered.get("result"))
    client = _dict(params.get("clientInfo")) or _dict(meta.get(_META + "clientInfo"))
    server = (
        _dict(result.get("serverInfo"))
        or _dict(_dict(found.get("_meta")).get(_META + "serverInfo"))
        or _dict(found.get("serverInfo"))
        or _dict(_dict(_dict(replied.get("result")).get("_meta")).get(_META + "serverInfo"))
    )
    offers = params.get("capabilities") if "initialize" in facts else meta.get(_META + "clientCapabilities")
    serves = result.get("capabilities") if "initialized" in facts else found.get("capabilities")
    return (
        _text(client.get("name")), _text(client.get("version")),
        _text(server.get("name")), _text(server.get("version")),
        negotiated or asked or per_request, _json(offers), _json(serves),
        bool("initialized" in facts and facts["ready"]) or ("initialize" not in facts and per_request is not None),
    )  # fmt: skip


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _json(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    try:
        return encode(value)
    except (msgspec.EncodeError, RecursionError, ValueError):
        return None
