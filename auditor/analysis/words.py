"""The words of stored messages, as attribution compares them."""

import re

from auditor.wire.envelope import fingerprint

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
    """The words of a message but for those of the protocol itself."""
    return words(text) - _PROTOCOL


def template(message: str | None, schema: str | None) -> str:
    """Equal for prompts that differ only in values: words without digits, and the names of the fields."""
    said = [w for w in _WORD.findall(message or "") if not any(c.isdigit() for c in w)][:12]
    return fingerprint([said, sorted(_NAME.findall(schema or ""))[:40]])
