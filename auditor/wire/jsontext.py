"""Reading JSON as strictly as can be, and as leniently as a peer might.

msgspec is strict and fast. What it refuses, the standard library may still take (lone surrogates, NaN; bytes that are
no UTF-8, replaced), and so would some client: it is read, and marked as lenient.
"""

import json
from typing import Any

import msgspec

_BLANKS = b" \t\r\n"


class Malformed(msgspec.Struct, frozen=True):
    """A text that no reader here takes, and why."""

    why: str


class Parsed(msgspec.Struct, frozen=True):
    """A JSON value. `lenient`: only a tolerant reader takes it. `duplicates`: a key stands twice in one object,
    so that readers disagree on what it says."""

    value: Any
    lenient: bool = False
    duplicates: bool = False


def parse(raw: bytes) -> Parsed | Malformed:
    """Read one JSON text (UTF-8, a BOM allowed)."""
    text = raw[3:] if raw.startswith(b"\xef\xbb\xbf") else raw
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _lenient(text)
    return Parsed(value, duplicates=_may_repeat(value, text) and has_duplicate_keys(text))


def _lenient(text: bytes) -> Parsed | Malformed:
    try:
        return Parsed(json.loads(text), lenient=True, duplicates=has_duplicate_keys(text))
    except UnicodeDecodeError:
        replaced = text.decode("utf-8", "replace").encode()
        tolerant = _lenient(replaced)
        return tolerant if isinstance(tolerant, Parsed) else Malformed("not UTF-8")
    except RecursionError:
        return Malformed("nested too deeply")
    except ValueError:
        return Malformed("not JSON")


def _may_repeat(value: Any, text: bytes) -> bool:
    """Cheap and never wrong with its no: what is written again as it stood, but for blanks, has lost no key."""
    try:
        again = msgspec.json.encode(value)
    except (RecursionError, TypeError, ValueError, UnicodeEncodeError):
        return True
    return again != text and again.translate(None, _BLANKS) != text.translate(None, _BLANKS)


def repeats(value: Any, text: str) -> bool:
    """Whether a key stands twice in an object of a text that reads as this value."""
    data = text.encode("utf-8", "surrogatepass")
    return isinstance(value, (dict, list)) and _may_repeat(value, data) and has_duplicate_keys(data)


def apart(text: str) -> Any:
    """A JSON value in which every repeated key is kept, told from the one before it by a NUL at its end.

    Raises:
        ValueError: when it is no JSON.
    """
    return json.loads(text, object_pairs_hook=_apart)


def _apart(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        name = key
        while name in out:
            name += "\x00"
        out[name] = value
    return out


class _Repeated(Exception):
    pass


def _check(pairs: list[tuple[str, Any]]) -> None:
    if len({k for k, _ in pairs}) != len(pairs):
        raise _Repeated


def has_duplicate_keys(text: bytes) -> bool:
    """Whether any object of this JSON text holds the same key twice."""
    try:
        json.loads(text, object_pairs_hook=_check)
    except _Repeated:
        return True
    except (ValueError, RecursionError):
        return False
    return False
