"""Every prompt on the wire, in any carriage, as one row.

Rules. A request of the server is one prompt. A result that asks for input holds one prompt a key; a poll of a task
repeats them, and each (task, key) counts once. An error -32042 holds one prompt an entry of its list.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import duckdb
import msgspec

from auditor.analysis.handshakes import message_object
from auditor.analysis.rows import encode, fetch, put
from auditor.wire.envelope import fingerprint

KINDS = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}
URL_REQUIRED = -32042

_COLUMNS = {
    "capture_id": "VARCHAR", "session_id": "VARCHAR", "seq": "BIGINT", "ts": "TIMESTAMP", "channel": "BIGINT",
    "stream": "VARCHAR", "rpc_id": "VARCHAR", "rpc_id_type": "VARCHAR", "task_id": "VARCHAR", "trace": "VARCHAR",
    "item": "INTEGER", "key": "VARCHAR", "carriage": "VARCHAR", "kind": "VARCHAR", "mode": "VARCHAR",
    "message": "VARCHAR", "url": "VARCHAR", "elicitation_id": "VARCHAR", "schema": "VARCHAR", "fingerprint": "VARCHAR",
    "declared": "BOOLEAN",
}  # fmt: skip
_ASKING = f"""
SELECT l.capture_id, l.session_id, l.seq, l.ts, l.channel, l.stream, l.kind, l.method, l.rpc_id, l.rpc_id_type,
    l.task_id, l.traceparent, x.method, m.raw, s.client_capabilities::VARCHAR, q.raw
FROM m_lines l
JOIN m_texts m ON m.capture_id = l.capture_id AND m.seq = l.seq
JOIN sessions s ON s.session_id = l.session_id
LEFT JOIN exchanges x ON x.capture_id = l.capture_id AND x.answer_seq = l.seq
LEFT JOIN m_texts q ON q.capture_id = x.capture_id AND q.seq = x.seq AND l.kind = 'result'
WHERE l.direction = 's2c' AND (
    (l.kind = 'request' AND l.method IN ('elicitation/create', 'sampling/createMessage', 'roots/list'))
    OR (l.kind = 'result' AND l.input_keys IS NOT NULL)
    OR (l.kind = 'error' AND l.error_code = {URL_REQUIRED}))
ORDER BY l.session_id, l.seq
"""  # noqa: S608


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """Make `m_asked`: one row a prompt."""
    put(con, "m_asked", _COLUMNS, _rows(con))


def _rows(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    polled: set[tuple[str, str | None, str]] = set()
    for row in fetch(con, _ASKING):
        capture, session, seq, ts, channel, stream, kind, method, rpc_id, id_type, task, trace, asked, raw, *able = row
        message = message_object(raw)
        capabilities = _capabilities(*able)
        place = (capture, session, seq, str(ts), channel, stream)
        if kind == "request":
            question = _question(method, message.get("params"), capabilities)
            yield *place, rpc_id, id_type, task, trace, 0, None, "request", *question
        elif kind == "error":
            for item, entry in enumerate(_required(message)):
                question = _question("elicitation/create", entry, capabilities)
                yield *place, None, None, task, trace, item, None, "url_required", *question
        else:
            carriage = "task" if asked == "tasks/get" else "input_required"
            for item, (key, entry) in enumerate(_inputs(message)):
                if carriage == "task" and (session, task, key) in polled:
                    continue
                polled.add((session, task, key))
                question = _question(entry.get("method"), entry.get("params"), capabilities)
                yield *place, None, None, task, trace, item, key, carriage, *question


def _required(message: dict[str, Any]) -> list[Any]:
    error = message.get("error")
    data = error.get("data") if isinstance(error, dict) else None
    entries = data.get("elicitations") if isinstance(data, dict) else None
    return entries if isinstance(entries, list) else []


def _inputs(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    result = message.get("result")
    requests = result.get("inputRequests") if isinstance(result, dict) else None
    for key, entry in (requests if isinstance(requests, dict) else {}).items():
        yield key, entry if isinstance(entry, dict) else {}


def _capabilities(session: str | None, request: str | None) -> Any:
    """What the client had declared: with the request itself, else in its session; None when unknown."""
    params = message_object(request).get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    own = meta.get("io.modelcontextprotocol/clientCapabilities") if isinstance(meta, dict) else None
    return own if isinstance(own, dict) else _declaration(session) if session is not None else None


_declaration = lru_cache(maxsize=64)(message_object)  # prompts of one session follow each other


def _declared(capabilities: Any, kind: str, mode: str | None) -> bool | None:
    """Whether the client takes such a prompt; an elicitation capability without a mode means forms."""
    if not isinstance(capabilities, dict):
        return None
    declared = capabilities.get(kind)
    if not isinstance(declared, dict):
        return False
    if kind != "elicitation":
        return True
    return mode in declared or (mode == "form" and "url" not in declared)


def _question(method: Any, params: Any, capabilities: Any) -> tuple[Any, ...]:
    """(kind, mode, message, url, elicitation id, schema, fingerprint, declared) of one prompt."""
    params = params if isinstance(params, dict) else {}
    kind = KINDS.get(method, "elicitation") if isinstance(method, str) else "elicitation"
    if kind != "elicitation":
        text = _conversation(params) if kind == "sampling" else None
        declared = _declared(capabilities, kind, None)
        return kind, None, text, None, None, None, fingerprint([kind, text]), declared
    mode, message, url = params.get("mode", "form"), params.get("message"), params.get("url")
    schema = params.get("requestedSchema")
    mode = mode if isinstance(mode, str) else "form"
    return (
        kind, mode, _text(message), _text(url), _text(params.get("elicitationId")), _json(schema),
        fingerprint([kind, mode, message, schema]), _declared(capabilities, kind, mode),
    )  # fmt: skip


def _conversation(params: dict[str, Any]) -> str | None:
    """The last text of a sampling request's messages."""
    messages = params.get("messages")
    for message in reversed(messages if isinstance(messages, list) else []):
        content = message.get("content") if isinstance(message, dict) else None
        for block in reversed(content if isinstance(content, list) else [content]):
            if isinstance(block, dict) and isinstance(block.get("text"), str):
                return str(block["text"])
    return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _json(value: Any) -> str | None:
    try:
        return encode(value) if value is not None else None
    except (msgspec.EncodeError, RecursionError, ValueError):
        return None
