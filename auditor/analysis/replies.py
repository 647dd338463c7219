"""What was answered to each prompt, and whether the call that it belongs to ended for want of an answer."""

from collections.abc import Iterator
from typing import Any

import duckdb
import msgspec

from auditor.analysis import texts
from auditor.analysis.handshakes import message_object
from auditor.analysis.rows import encode, fetch, put
from auditor.analysis.words import TIMED_OUT

_TIMEOUT_CODES = {408, -32001}
_ACTIONS = {"accept", "decline", "cancel"}

_REPLY_COLUMNS = {
    "session_id": "VARCHAR", "seq": "BIGINT", "item": "INTEGER", "reply_seq": "BIGINT", "reply_ts": "TIMESTAMP",
    "action": "VARCHAR", "content": "VARCHAR", "outcome": "VARCHAR", "detail": "VARCHAR",
}  # fmt: skip
_REPLIES = """
WITH found AS (
    SELECT a.session_id, a.seq, a.item, a.key, a.kind, x.answer_seq AS reply_seq, NULL AS result_seq
    FROM m_asked a JOIN exchanges x ON x.capture_id = a.capture_id AND x.seq = a.seq
    WHERE a.carriage = 'request' AND x.answer_seq IS NOT NULL AND x.task_id IS NOT DISTINCT FROM a.task_id
    UNION ALL
    SELECT a.session_id, a.seq, a.item, a.key, a.kind, t.result_seq, x.answer_seq
    FROM m_asked a JOIN exchanges x ON x.capture_id = a.capture_id AND x.seq = a.seq
    JOIN tasks t ON t.session_id = a.session_id AND t.call_seq = a.seq
    WHERE a.carriage = 'request' AND x.answer_seq IS NOT NULL AND x.task_id IS DISTINCT FROM a.task_id
    UNION ALL
    SELECT a.session_id, a.seq, a.item, a.key, a.kind, g.seq, NULL
    FROM m_asked a
    JOIN m_parents p ON p.session_id = a.session_id AND p.seq = a.seq AND p.item = a.item
    JOIN m_legs g ON g.session_id = a.session_id AND g.prev_seq = p.parent_seq AND NOT g.reused
    JOIN m_lines l ON l.session_id = g.session_id AND l.seq = g.seq
    WHERE a.carriage = 'input_required' AND list_contains(l.input_keys, a.key)
    UNION ALL
    SELECT a.session_id, a.seq, a.item, a.key, a.kind, min(u.seq), NULL
    FROM m_asked a
    JOIN m_lines u ON u.session_id = a.session_id AND u.method = 'tasks/update' AND u.task_id = a.task_id
        AND u.seq > a.seq
    WHERE a.carriage = 'task' AND list_contains(u.input_keys, a.key)
    GROUP BY ALL
)
SELECT f.session_id, f.seq, f.item, f.key, f.kind, f.reply_seq, m.ts, t.raw, m.kind, m.error_code, m.action, p.declared
FROM found f
JOIN m_asked p ON p.session_id = f.session_id AND p.seq = f.seq AND p.item = f.item
JOIN m_lines m ON m.session_id = f.session_id AND m.seq = f.reply_seq
JOIN m_texts t ON t.capture_id = p.capture_id AND t.seq = f.reply_seq
"""
_SIGN_COLUMNS = {"session_id": "VARCHAR", "seq": "BIGINT", "timed_out": "BOOLEAN"}
_ENDS = """
SELECT DISTINCT q.capture_id, p.session_id, p.parent_seq, coalesce(t.result_seq, x.answer_seq) AS seq
FROM m_parents p
LEFT JOIN m_replies r ON r.session_id = p.session_id AND r.seq = p.seq AND r.item = p.item
JOIN exchanges x ON x.session_id = p.session_id AND x.seq = p.parent_seq
LEFT JOIN tasks t ON t.session_id = p.session_id AND t.call_seq = p.parent_seq
JOIN m_asked q ON q.session_id = p.session_id AND q.seq = p.seq AND q.item = p.item
WHERE p.tier IN ('explicit', 'deduced', 'inferred') AND q.carriage IN ('request', 'task')
    AND coalesce(t.result_seq, x.answer_seq) > p.seq
    AND (r.reply_seq IS NULL OR r.reply_seq > coalesce(t.result_seq, x.answer_seq))
"""
_SIGNS = f"""
SELECT DISTINCT e.session_id, e.parent_seq, m.raw, l.error_code
FROM ({_ENDS}) e
JOIN m_texts m ON m.capture_id = e.capture_id AND m.seq = e.seq
JOIN m_lines l ON l.session_id = e.session_id AND l.seq = e.seq
"""  # noqa: S608


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """Make `m_replies` (one row an answered prompt) and `m_signs` (calls that ended while a prompt stood open)."""
    put(con, "m_replies", _REPLY_COLUMNS, _replies(con))
    texts.add(con, _ENDS)
    put(con, "m_signs", _SIGN_COLUMNS, (
        (session, seq, _timed_out(raw, code)) for session, seq, raw, code in fetch(con, _SIGNS)
    ))  # fmt: skip


def _timed_out(raw: str | None, code: int | None) -> bool:
    return code in _TIMEOUT_CODES or bool(raw and TIMED_OUT.search(raw[:20_000]))


def _replies(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    for session, seq, item, key, kind, reply, ts, raw, form, code, action, declared in fetch(con, _REPLIES):
        message = message_object(raw)
        place = (session, seq, item, reply, str(ts))
        if form == "error":
            yield *place, None, None, *_refusal(code, message, declared)
            continue
        body = message.get("result") if key is None else _response(message, key)
        body = body if isinstance(body, dict) else {}
        if raw is None and action is not None:
            body = {"action": action}
        yield *place, *_answer(kind, body)


def _response(message: dict[str, Any], key: str) -> Any:
    params = message.get("params")
    responses = params.get("inputResponses") if isinstance(params, dict) else None
    return responses.get(key) if isinstance(responses, dict) else None


def _answer(kind: str, body: dict[str, Any]) -> tuple[str | None, str | None, str, str]:
    """(action, content, outcome, detail) of an answer that is no error."""
    if kind != "elicitation":
        wanted = "roots" if kind == "roots" else "content"
        if wanted in body:
            return None, None, "accept", "the client answered"
        return None, None, "client_error", f"the answer has no {wanted}"
    action = body.get("action")
    if not isinstance(action, str) or action not in _ACTIONS:
        return None, None, "client_error", "the answer has no valid action"
    return str(action), _json(body.get("content")), str(action), "the client answered"


def _json(value: Any) -> str | None:
    try:
        return None if value is None else encode(value)
    except (msgspec.EncodeError, RecursionError, ValueError):
        return None


def _refusal(code: int | None, message: dict[str, Any], declared: bool | None) -> tuple[str, str]:
    """(outcome, detail) of an error in answer to a prompt."""
    error = message.get("error")
    text = error.get("message") if isinstance(error, dict) else None
    said = text.lower() if isinstance(text, str) else ""
    detail = f"the client answered with error {code}"
    if code == -32601 or (code == -32600 and "not supported" in said):
        return "unsupported", detail
    if code == -32602 and (declared is False or "not support" in said or "capabilit" in said):
        return "unsupported", detail
    if code == -32000 and "connection closed" in said:
        return "abandoned_session", "the client closed the connection"
    if code in _TIMEOUT_CODES or TIMED_OUT.search(said):
        return "timeout", f"{detail}: it gave up waiting"
    return "client_error", detail
