"""Values as a reader sees them.

Text of the traffic is data. What a browser would obey or a reader could not see (control characters, marks that turn
the direction of writing) is shown by its number; jinja2 escapes the rest.
"""

import re
from datetime import datetime
from typing import Any

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
NONE = "—"


def shown(value: Any, limit: int = 600) -> str:
    """A text with nothing hidden in it, at most `limit` characters; a dash for nothing."""
    if value is None or value == "":
        return NONE
    text = str(value)
    text = text if len(text) <= limit else text[:limit] + "…"
    return _HIDDEN.sub(lambda m: f"‹U+{ord(m[0]):04X}›", text)


def label(value: Any, limit: int = 60) -> str:
    """A text as a label of a chart, which reads a few tags and entities: none is left in it."""
    text = shown(" ".join(shown(value, limit).split()))
    return "".join(_HTML.get(c, c) for c in text)


def moment(value: datetime | None) -> str:
    """A time in UTC, to the second."""
    return value.strftime("%Y-%m-%d %H:%M:%S") if value else NONE


def spell_ms(ms: float | None) -> str:
    """A duration in milliseconds, in the unit a person would use."""
    if ms is None:
        return NONE
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 120_000:
        return f"{ms / 1000:.1f} s"
    return f"{ms / 60_000:.1f} min" if ms < 7_200_000 else f"{ms / 3_600_000:.1f} h"


def spell_us(us: float | None) -> str:
    """A duration in microseconds, in the unit a person would use."""
    return spell_ms(None if us is None else us / 1000)


def number(value: float | None) -> str:
    """A count with its thousands set apart by thin spaces."""
    return NONE if value is None else f"{value:,.0f}".replace(",", "\u2009")


def count(value: int, what: str) -> str:
    """A count with its noun.

    >>> count(1, "session"), count(2, "session")
    ('1 session', '2 sessions')
    """
    return f"{number(value)} {what}" + ("" if value == 1 else "s")


def sure(value: float) -> str:
    """How likely an attribution is, as a percentage; a guess is never shown as certain.

    >>> sure(0.5), sure(0.9999)
    ('50\u2009%', '>99\u2009%')
    """
    return ">99\u2009%" if 0.995 <= value < 1 else percent(value)


def percent(value: float | None) -> str:
    """A share as a percentage; a dash where there was nothing to divide by."""
    return NONE if value is None else f"{value * 100:.0f}\u2009%"
