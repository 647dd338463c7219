"""The words of stored messages, as attribution compares them."""

import re
from typing import Any

import msgspec

from auditor.wire.envelope import fingerprint

TIMED_OUT = re.compile(
    r"tim(?:ed|e)[ -]?out|deadline|-32001\b|\(408\)|\b(?:code|status|error)\W{1,4}408\b|took too long", re.IGNORECASE
)
_WORD = re.compile(r"\[REDACTED:[^\]]*\]|[\w.@/-]{2,}")
_APART = str.maketrans({c: " " for c in map(chr, range(128)) if not (c.isalnum() or c in "_.@/-")})
_LETTERS = frozenset(map(chr, range(128)))
_NAME = re.compile(r'"(\w{1,64})":')
_MOST = 400  # words of one message that count
_PROTOCOL = frozenset((
    "jsonrpc", "id", "method", "params", "result", "name", "arguments", "action", "content", "accept", "decline",
    "cancel", "elicitation/create", "tools/call", "message", "requestedschema", "type", "object", "properties",
    "required", "string", "boolean", "number", "integer", "title", "description", "default", "enum", "mode", "form",
    "2.0", "_meta", "progresstoken", "true", "false", "null", "structuredcontent", "text", "iserror",
    "sampling/createmessage", "roots/list", "prompts/get", "uri",
))  # fmt: skip

_ACTIONS = {"decline": ("declin", "refus", "reject", "denied"), "cancel": ("cancel", "dismiss", "abort")}
_IDENTITY = re.compile(r'"(?:id|progressToken)"\s*:\s*(?:"[^"]*"|[-\d.eE]+)')
_CONTROL = re.compile(r"\\[nrtbf]")  # in JSON, a line's end would otherwise be a letter
_PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")


def words(text: str | None) -> frozenset[str]:
    """The words of a stored message; a redacted value counts as one, so that equal secrets are equal words."""
    if not text:
        return frozenset()
    if text.isascii() and "[REDACTED:" not in text:  # the same, several times faster
        found = text.lower().translate(_APART).split()
        if len(found) <= _MOST:
            return frozenset(found) - _LETTERS
        return frozenset([w for w in found if len(w) > 1][:_MOST])
    return frozenset(w.lower() for w in _WORD.findall(text)[:_MOST])


def payload(text: str | None) -> frozenset[str]:
    """The words of what a message is about: neither those of the protocol, nor its id, nor what stands in `_meta`."""
    found = words(_content(text)) if text else frozenset()
    return frozenset(stripped for w in found if len(stripped := w.strip("./-")) > 1) - _PROTOCOL


def _content(text: str) -> str:
    """The parameters, result or error of a message; a text that was cut off, without the id before them."""
    try:
        message = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return _CONTROL.sub(" ", _IDENTITY.sub(" ", text))
    if not isinstance(message, dict):
        return ""
    parts: list[Any] = [message.get(part) for part in ("params", "result", "error")]
    kept = [{k: v for k, v in p.items() if k != "_meta"} if isinstance(p, dict) else p for p in parts]
    return _CONTROL.sub(" ", msgspec.json.encode(kept).decode())


def of_call(text: str | None, tool: str) -> frozenset[str]:
    """The words of a call, and those that its tool's name is made of."""
    return payload(text) | {w.lower() for w in _PART.findall(tool)}


def of_result(text: str | None) -> frozenset[str]:
    """The words of a result; whatever says that the user declined or cancelled counts as the word itself."""
    found = payload(text)
    said = words(text) if text else frozenset()
    signs = {sign for sign, stems in _ACTIONS.items() if any(w.startswith(stems) for w in said)}
    return found | signs


def of_answer(text: str | None, action: str | None) -> frozenset[str]:
    """The words of an answer; a refusal counts as a word that results may repeat."""
    return payload(text) | ({action} if action in _ACTIONS else frozenset())


def template(message: str | None, schema: str | None) -> str:
    """Equal for prompts that differ only in values: words without digits, and the names of the fields."""
    said = [w for w in _WORD.findall(message or "") if not any(c.isdigit() for c in w)][:12]
    return fingerprint([said, sorted(_NAME.findall(schema or ""))[:40]])
