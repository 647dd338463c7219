"""What a check gives back, and how it reads JSON of unknown origin."""

from collections.abc import Mapping
from typing import Any

import msgspec

from auditor.rules.checks.plain import fits


class Hit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finding less what its row says. `seq` is the record it is about, when that is not the row's."""

    subject: str
    message: str
    evidence: dict[str, Any]
    seq: int | None = None
    severity: str | None = None
    confidence: str | None = None
    party: str | None = None


class Fault(msgspec.Struct, frozen=True):
    """Where a value breaks its schema (`path`, a JSON pointer), by which keyword, and how; the value is not told."""

    path: str
    keyword: str
    text: str


def judged(schema: Any, value: Any) -> list[Fault] | None:
    """How a value breaks a schema (`validate.faults`); the validator is loaded when it is first wanted, for it costs
    more than all else on a small capture."""
    if fits(schema, value):
        return None
    from auditor.rules.checks.validate import faults

    return faults(schema, value)


def decode(text: Any) -> Any:
    """A JSON text as a value; None when it is none, or too deep."""
    if not isinstance(text, str):
        return None
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def cut(text: Any, limit: int = 80) -> str:
    """A text, or a value as text, short enough to be read."""
    shown = text if isinstance(text, str) else repr(text)
    return shown if len(shown) <= limit else shown[:limit] + "…"


def about(row: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence that every finding of a prompt has: its id on the wire."""
    return {"rpc_id": decode(row.get("wire_id"))}


def subject(row: Mapping[str, Any]) -> str:
    """The tool that asked, where it is known."""
    return str(row.get("parent_tool") or "elicitation/create")
