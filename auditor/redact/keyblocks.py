"""Keys and what stands for them in blocks: PEM, PuTTY, seed phrases, codes for recovery, hashes of passwords."""

import re

from auditor.redact.lists import blocks
from auditor.redact.spans import Finder, Span

_PEM = re.compile(r"-{4,5} ?BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?) ?-{4,5}")
_PEM_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_PEM_BODY = re.compile(r"(?:\\{1,8}[nrt\"]|[A-Za-z0-9+/=\s:,.\-()>\"'|\[\]#*])*")
_ENCODED = re.compile(r"[A-Za-z0-9+/=]{12}")
_LINE = re.compile(r"[A-Za-z0-9+/=]{20,80}")
_PPK = re.compile(r"Private-Lines: \d{1,4}(?:\r?\n|\\n)(?P<v>(?:[A-Za-z0-9+/=]{1,80}(?:\r?\n|\\n|$)){1,200})")
_WORDS = re.compile(
    r"[\s\"'`:：=「“-]{0,8}(?:(?:is|are|words|phrase|是|は|:)[\s\"'`:：]{1,6}){0,2}"
    r"(?P<v>(?:(?:\d{1,2}[.)] ?)?[a-z]{3,8}[ ,\n]{1,3}){11,23}[a-z]{3,8})(?![a-z])"
)
_SHORT = re.compile(r"[a-z]{3,8}")
_SMALL = frozenset(blocks()["small"].split())
_CODES = re.compile(
    r"[^\n]{0,40}?[:：]?\s*"
    r"(?P<v>(?:(?:\d{1,2}[.)]|[-*•])?[ \t]*(?=[\w -]{0,24}\d)[A-Za-z0-9]{4,12}(?:[ -][A-Za-z0-9]{4,12}){0,4}"
    r"(?:\s*[,;\n]\s*|\s*$)){2,20})"
)
_ONE = re.compile(r"(?:\d{1,2}[.)][ \t]*)?(?P<v>[A-Za-z0-9]{4,12}(?:[ -][A-Za-z0-9]{4,12}){0,4})")
_HASH = re.compile(
    r"\$(?:[156]|y|2[abxy]|7|gy|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]*)\$(?:[\w=,.-]{1,40}\$){0,4}[A-Za-z0-9./+$]{8,200}={0,2}"
)
_TYPED_SEED = re.compile(
    r"[^\n:：]{0,30}?(?:[:：]|is)\s+"
    r"(?P<v>(?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{4}|[A-Z2-7]{16,64})(?![\w-])"
)
_JWK_PRIVATE = re.compile(
    r"\\{0,4}\"(?:d|p|q|dp|dq|qi|k)\\{0,4}\"\s{0,4}:\s{0,4}\\{0,4}\"(?P<v>[A-Za-z0-9_-]{16,1200})"
)


def pem(text: str, start: int, _end: int) -> list[Span] | None:
    """A private key in PEM armour, its END line or none."""
    m = _PEM.match(text, start)
    if m is None or _ENCODED.search(text, m.end(), m.end() + 300) is None:
        return None
    stop = _PEM_END.search(text, m.end(), m.end() + 20_000)
    body = _PEM_BODY.match(text, m.end(), m.end() + 20_000)
    assert body is not None
    end = stop.start() if stop is not None and stop.start() <= body.end() + 8 else body.end()
    while end > m.end() and text[end - 1] in " \n\"'>":
        end -= 1
    return [Span(m.end(), end, "private-key")] if end - m.end() > 8 else None


def _pem_tail(text: str, start: int, _end: int) -> list[Span] | None:
    """The lines before an END line whose BEGIN is not there."""
    if _PEM_END.match(text, start) is None:
        return None
    first = at = start
    for _ in range(100):
        line = text.rfind("\n", max(0, at - 90), at - 1) + 1
        if not line or _LINE.fullmatch(text[line : at - 1].strip()) is None:
            break
        first = at = line
    whole = text[max(0, at - 90) : at - 1] if at < 90 and first == at and at > 1 and "\n" not in text[: at - 1] else ""
    first = 0 if _LINE.fullmatch(whole) is not None else first
    return [Span(first, start - 1, "private-key")] if first < start - 1 else None


def _ppk(text: str, start: int, _end: int) -> list[Span] | None:
    m = _PPK.match(text, start)
    return None if m is None else [Span(m.start("v"), m.end("v"), "private-key")]


def seed(text: str, _start: int, end: int) -> list[Span] | None:
    """The words of a wallet behind a name for them."""
    m = _WORDS.match(text, end)
    if m is None or sum(w in _SMALL for w in _SHORT.findall(m["v"])) > 1:
        return None
    return [Span(m.start("v"), m.end("v"), "seed-phrase")]


def _codes(text: str, _start: int, end: int) -> list[Span] | None:
    """Codes for recovery, one after the other."""
    m = _CODES.match(text, end, end + 800)
    if m is None:
        return None
    return [Span(m.start("v") + o.start("v"), m.start("v") + o.end("v"), "code", True) for o in _ONE.finditer(m["v"])]


def _hash(text: str, start: int, _end: int) -> list[Span] | None:
    m = _HASH.match(text, start)
    return None if m is None or len(m[0]) < 24 else [Span(start, m.end(), "password-hash")]


def _typed_seed(text: str, _start: int, end: int) -> list[Span] | None:
    m = _TYPED_SEED.match(text, end, end + 160)
    return None if m is None or not any(c.isdigit() for c in m["v"]) else [Span(m.start("v"), m.end("v"), "totp-seed")]


def _jwk(text: str, start: int, end: int) -> list[Span] | None:
    """The private members of a JWK in a text."""
    first, last = text.rfind("{", max(0, start - 4000), start), text.find("}", end, end + 8000)
    if first < 0 or last < 0:
        return None
    return [Span(m.start("v"), m.end("v"), "private-key") for m in _JWK_PRIVATE.finditer(text, first, last)]


BLOCKS: tuple[tuple[str, Finder], ...] = (
    *((armour, pem) for armour in ("-----begin ", "---- begin ")),
    ("-----end ", _pem_tail),
    ("private-lines: ", _ppk),
    ('"kty', _jwk),
    *((words, seed) for words in blocks()["seeds"]),
    *((words, _codes) for words in blocks()["codes"]),
    *((prefix, _hash) for prefix in blocks()["hashes"]),
    *((words, _typed_seed) for words in blocks()["typed"]),
)
