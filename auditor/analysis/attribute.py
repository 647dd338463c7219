"""Handing the sessions with undecided prompts to inference, and taking back what it says."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import duckdb

from auditor.analysis.rows import fetch, put
from auditor.attribution.infer import attribute
from auditor.attribution.model import Call, Prompt
from auditor.wire.envelope import fingerprint

_COLUMNS = {
    "session_id": "VARCHAR", "seq": "BIGINT", "item": "INTEGER", "tier": "VARCHAR", "parent_seq": "BIGINT",
    "confidence": "DOUBLE", "evidence": "VARCHAR[]", "candidates": "STRUCT(seq BIGINT, weight DOUBLE)[]",
}  # fmt: skip
_WORD = re.compile(r"\[REDACTED:[^\]]*\]|[\w.@/-]{2,}")
_NAME = re.compile(r'"(\w{1,64})":')
_PROTOCOL = frozenset(
    """
jsonrpc id method params result name arguments action content accept decline cancel elicitation/create tools/call message
requestedschema type object properties required string boolean number integer title description default enum mode form 2.0
_meta progresstoken true false null structuredcontent text iserror sampling/createmessage roots/list prompts/get uri
""".split()
)
_TEXT = 20_000  # characters of a message that are looked at for words

_OPEN_SESSIONS = "SELECT DISTINCT session_id FROM m_certain WHERE tier IS NULL"
_CALLS = f"""
SELECT x.session_id, x.seq, epoch_us(x.ts), x.end_seq, epoch_us(x.end_ts), x.end_cause, x.answer_kind, x.is_error,
    x.cancelled_seq, x.tool, left(q.raw, {_TEXT}), left(a.raw, {_TEXT}), q.traceparent, x.rpc_id
FROM exchanges x
JOIN messages q ON q.capture_id = x.capture_id AND q.seq = x.seq
LEFT JOIN messages a ON a.capture_id = x.capture_id AND a.seq = x.answer_seq
WHERE x.direction = 'c2s' AND x.method IN ('tools/call', 'prompts/get', 'resources/read')
    AND x.session_id IN ({_OPEN_SESSIONS})
ORDER BY x.session_id, x.seq
"""  # noqa: S608
_PROMPTS = f"""
SELECT p.session_id, p.seq, p.item, epoch_us(p.ts), x.answer_seq, epoch_us(x.answer_ts), x.end_seq, epoch_us(x.end_ts),
    x.end_cause, x.cancelled_seq, x.cancel_reason, r.action, left(q.raw, {_TEXT}), left(r.raw, {_TEXT}), p.message, p.schema, p.trace, c.parent_seq
FROM m_asked p
JOIN m_certain c ON c.session_id = p.session_id AND c.seq = p.seq AND c.item = p.item
JOIN messages q ON q.capture_id = p.capture_id AND q.seq = p.seq
LEFT JOIN exchanges x ON x.capture_id = p.capture_id AND x.seq = p.seq
LEFT JOIN messages r ON r.capture_id = p.capture_id AND r.seq = x.answer_seq
WHERE p.carriage = 'request' AND p.session_id IN ({_OPEN_SESSIONS})
ORDER BY p.session_id, p.seq
"""  # noqa: S608


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """Make `m_attributed`: one row a prompt that was undecided."""
    calls, prompts = _read(con)
    put(con, "m_attributed", _COLUMNS, _rows(calls, prompts))


def _read(con: duckdb.DuckDBPyConnection) -> tuple[dict[str, list[Call]], dict[str, list[Prompt]]]:
    calls: dict[str, list[Call]] = defaultdict(list)
    for session, *row in fetch(con, _CALLS):
        calls[session].append(_call(row))
    prompts: dict[str, list[Prompt]] = defaultdict(list)
    for session, *row in fetch(con, _PROMPTS):
        prompts[session].append(_prompt(row))
    return calls, prompts


def _call(row: list[Any]) -> Call:
    seq, ts, end_seq, end, cause, kind, is_error, cancelled, tool, asked, answered, trace, rpc_id = row
    failed = kind == "error" or bool(is_error)
    return Call(
        seq, ts, end_seq, end, "error" if cause == "answer" and failed else cause, cancelled, tool or "", _payload(asked),
        words(answered), answered if failed else None, trace=trace, rpc_id=rpc_id,
    )  # fmt: skip


def _prompt(row: list[Any]) -> Prompt:
    seq, item, ts, answer, answered, closed, end, cause, cancelled, reason, action, asked, reply, *rest = row
    message, schema, trace, fixed = rest
    over = cause in ("answer", "cancelled")
    return Prompt(
        seq, item, ts, answer, answered, closed if over else None, end if over else None, cancelled, reason, action,
        _payload(asked), _payload(reply), _template(message, schema), trace, fixed,
    )  # fmt: skip


def _payload(text: str | None) -> frozenset[str]:
    """The words of a message but for those of the protocol itself."""
    return words(text) - _PROTOCOL


def _template(message: str | None, schema: str | None) -> str:
    """Equal for prompts that differ only in values: words without digits, and the names of the fields."""
    said = [w for w in _WORD.findall(message or "") if not any(c.isdigit() for c in w)][:12]
    return fingerprint([said, sorted(_NAME.findall(schema or ""))[:40]])


def words(text: str | None) -> frozenset[str]:
    """The words of a stored message; a redacted value counts as one."""
    return frozenset(w.lower() for w in _WORD.findall(text)) if text else frozenset()


def _rows(calls: dict[str, list[Call]], prompts: dict[str, list[Prompt]]) -> Iterator[tuple[Any, ...]]:
    for session, asked in prompts.items():
        for found in attribute(calls.get(session, []), asked):
            candidates = [{"seq": seq, "weight": weight} for seq, weight in found.candidates]
            yield (
                session, found.seq, found.item, found.tier, found.parent, found.confidence, list(found.evidence),
                candidates,
            )  # fmt: skip
