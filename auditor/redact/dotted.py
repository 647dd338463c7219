"""Tokens that no literal text begins: found by the sign within them, in texts that hold a long run of letters."""

import base64
import binascii
import re
from collections.abc import Iterator

from auditor.redact.lists import names
from auditor.redact.spans import Span

_POINT = re.compile(r"\.(?:[\w-]{6}\.[\w-]{27,45}|[A-Za-z0-9]{16}|[A-Za-z0-9]{32})(?![\w-]|\.\w)", re.ASCII)
_DISCORD = re.compile(r"(?<![\w.-])[MNO][\w-]{22,27}\Z", re.ASCII)  # mostly the user's number in base64
_HEX = re.compile(r"(?<![\w-])(?:secret_[\w-]{1,40}_)?[0-9a-f]{32}\Z", re.ASCII)
_ID = re.compile(r"(?<![\w./-])[A-Za-z0-9]{8}\Z", re.ASCII)
_SIGN = re.compile(
    r"[:|_-](?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{24}|[A-Za-z0-9]{48}|[A-Za-z0-9]{40}|[A-Za-z0-9]{21,22}|[A-Za-z0-9]{30}"
    r"|[\w-]{43}|[\w-]{27}|[0-9a-f]{8}-[0-9a-f]{8})(?![\w-]|[.:]\w)",
    re.ASCII,
)
_PAIRS: tuple[tuple[str, str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (sign, kind, re.compile(r"(?<![\w.:/-])" + head + r"\Z", re.ASCII), re.compile(tail, re.ASCII))
    for sign, kind, head, tail in (
        (":", "ghost-admin", "[0-9a-f]{24}", "[0-9a-f]{64}"),
        (":", "id-and-secret", "[0-9a-f]{32}", "[0-9a-f]{32}"),
        (":", "twilio-pair", "(?:AC|SK)[0-9a-f]{32}", "[0-9a-f]{32}"),
        (":", "id-and-secret", "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", "[0-9a-f]{32}"),
        (":", "plivo", "MA[A-Z0-9]{18}", "[A-Za-z0-9]{40}"),
        (":", "ably", r"[\w-]{6}\.[\w-]{6}", r"[\w-]{43}"),
        ("|", "sanctum", r"\d{1,9}", "[A-Za-z0-9]{40}|[A-Za-z0-9]{48}"),
        ("|", "facebook-app", r"\d{15,16}", r"[\w-]{27}"),
        ("_", "ngrok", "[123][A-Za-z0-9]{26}", "[A-Za-z0-9]{21}"),
        ("_", "godaddy", "[A-Za-z0-9]{12}", "[A-Za-z0-9]{22}"),
        ("_", "lacework", "[A-Za-z0-9]{56}", "[0-9a-f]{30}"),
        ("-", "mailgun", "[0-9a-f]{32}", "[0-9a-f]{8}-[0-9a-f]{8}"),
        ("-", "uptimerobot", r"(?:ur|m)\d{6,9}", "[0-9a-f]{24}"),
        ("-", "twitter-access", r"\d{16,19}", r"[A-Za-z0-9]{30}|[A-Za-z0-9]{40}"),
    )
)  # fmt: skip
"""A sign, and what has to stand before it and behind it."""
_LONG = re.compile(r"[_-]([A-Za-z0-9]{36,250})(?![\w-])", re.ASCII)
_BEGINS = re.compile(r"(?<![\w./-])([a-z][a-z0-9]{2,11})(?:[_-][a-z0-9]{1,12}){0,2}[_-]\Z", re.ASCII)
_IDS = frozenset(names()["text"]["ids"].split())
"""How ids, digests and what may be public begin."""
_NUMBERED = re.compile(r"(?<![\w./+-])(?:00[\w-]{40}|11[0-9a-f]{32})(?![\w/+-]|\.\w)", re.ASCII)  # Okta, Jenkins
_HEAD = 88  # characters before the sign that are looked at


def dotted(text: str) -> Iterator[Span]:
    """Tokens of Discord bots, and keys that are an id and a secret with a sign between."""
    for m in _POINT.finditer(text):
        at, tail = m.start(), m[0][1:]
        before = text[max(0, at - _HEAD) : at]
        if "." in tail:
            head = _DISCORD.search(before)
            if head is not None and (_number(head[0]) or (_mixed(head[0]) and _mixed(tail[7:]))):
                yield Span(at - len(head[0]), m.end(), "discord-bot")
        elif _mixed(tail):
            head = _HEX.search(before) or (_ID.search(before) if len(tail) == 32 else None)
            if head is not None and (len(head[0]) > 8 or _mixed(head[0])):
                yield Span(at - len(head[0]), m.end(), "id-and-secret")
    for m in _SIGN.finditer(text):
        at, tail = m.start(), m[0][1:]
        before = text[max(0, at - _HEAD) : at]
        for sign, kind, front, back in _PAIRS:
            if sign == m[0][0] and back.fullmatch(tail) and (head := front.search(before)) is not None:
                if any(map(str.isdigit, tail)) and (tail == tail.lower() or _mixed(tail)) and _likely(sign, head[0]):
                    yield Span(at - len(head[0]), m.end(), kind)
                break
    for m in _LONG.finditer(text):
        head = _BEGINS.search(text[max(0, m.start() - 32) : m.start() + 1])
        if head is not None and head[1] not in _IDS and _mixed(m[1]) and sum(map(str.isdigit, m[1])) >= 3:
            yield Span(m.start() + 1 - len(head[0]), m.end(), "token")
    for m in _NUMBERED.finditer(text):
        if _mixed(m[0]) or m[0].startswith("11"):
            yield Span(m.start(), m.end(), "token")


def _likely(sign: str, head: str) -> bool:
    """Whether a head of letters of any case is mixed, as one that was made is."""
    return sign != "_" or _mixed(head)


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
