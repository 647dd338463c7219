"""Tokens that no literal text begins: found by the point within them, in texts that hold a long run of letters."""

import base64
import binascii
import re
from collections.abc import Iterator

from auditor.redact.spans import Span

_POINT = re.compile(r"\.(?:[\w-]{6}\.[\w-]{27,45}|[A-Za-z0-9]{16}|[A-Za-z0-9]{32})(?![\w-]|\.\w)", re.ASCII)
_DISCORD = re.compile(r"(?<![\w.-])[MNO][\w-]{22,27}\Z", re.ASCII)  # mostly the user's number in base64
_HEX = re.compile(r"(?<![\w-])(?:secret_[\w-]{1,40}_)?[0-9a-f]{32}\Z", re.ASCII)
_HEAD = 88  # characters before the point that are looked at


def dotted(text: str) -> Iterator[Span]:
    """Tokens of Discord bots, and keys that are an id and a secret with a point between."""
    for m in _POINT.finditer(text):
        at, tail = m.start(), m[0][1:]
        before = text[max(0, at - _HEAD) : at]
        if "." in tail:
            head = _DISCORD.search(before)
            if head is not None and (_number(head[0]) or (_mixed(head[0]) and _mixed(tail[7:]))):
                yield Span(at - len(head[0]), m.end(), "discord-bot")
        elif _mixed(tail):
            head = _HEX.search(before)
            if head is not None:
                yield Span(at - len(head[0]), m.end(), "id-and-secret")


def _mixed(text: str) -> bool:
    """Whether small and capital letters and digits are in it."""
    return not (text.islower() or text.isupper()) and any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def _number(head: str) -> bool:
    """Whether what is encoded is a number of 16 to 20 digits."""
    try:
        said = base64.urlsafe_b64decode(head + "=" * (-len(head) % 4))
    except binascii.Error:
        return False
    return said.isdigit() and 16 <= len(said) <= 20
