"""Stored values as they are shown: times, durations and ids."""

import json
import re
from datetime import datetime
from math import isfinite
from typing import Any

_UNSEEN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def iso(t: datetime | None) -> str | None:
    """UTC with microseconds and a `Z`."""
    return None if t is None else f"{t.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def ms(us: int | None) -> float | None:
    """Microseconds as milliseconds."""
    return None if us is None else us / 1000


def rpc_id(text: str | None, kind: str | None) -> Any:
    """A JSON-RPC id as JSON has it: `1` and `"1"` stay different.

    >>> rpc_id("1", "integer"), rpc_id("1", "string"), rpc_id("null", "null")
    (1, '1', None)
    """
    if text is None or kind == "null":
        return None
    try:
        if kind == "integer":
            return int(text)
        if kind == "number" and isfinite(number := float(text)):
            return number
    except ValueError:  # a journal that somebody else wrote, or more digits than are read
        return text
    return text


def to_json(value: Any) -> str:
    """JSON on one line, in UTF-8, with whatever a terminal would obey escaped."""
    try:
        text = _dumps(value)
    except ValueError:
        text = _dumps(_finite(value))
    return _UNSEEN.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


_dumps = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, default=lambda v: plain(v), separators=(", ", ": ")
).encode


def _finite(value: Any) -> Any:
    """The value with null for the numbers that JSON does not have."""
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def sure(share: float) -> str:
    """How likely an inferred parent is; a guess is never shown as certain.

    >>> sure(0.934), sure(0.9999), sure(1.0)
    ('93%', '>99%', '>99%')
    """
    return ">99%" if share >= 0.995 else f"{share:.0%}"


def plain(value: Any) -> Any:
    """What JSON has no word for, as something that it has."""
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return str(value)


def duration(value: float | None) -> str:
    """Milliseconds for a person.

    >>> duration(0.4), duration(52.0), duration(1400.0), duration(250_000.0), duration(None)
    ('0.4 ms', '52 ms', '1.4 s', '4m10s', '')
    """
    if value is None:
        return ""
    if value < 10:
        return f"{value:.1f} ms"
    if value < 1000:
        return f"{value:.0f} ms"
    if value < 120_000:
        return f"{value / 1000:.1f} s"
    minutes, seconds = divmod(round(value / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02}m" if hours else f"{minutes}m{seconds:02}s"


def clock(t: datetime | None) -> str:
    """Date and time for a person, UTC, to the millisecond."""
    return "" if t is None else t.isoformat(sep=" ", timespec="milliseconds")
