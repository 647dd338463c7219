"""Passwords on command lines: behind the flags of commands that take one there, and where syntax puts them."""

import re
from typing import Any

from auditor.redact.headers import cookies
from auditor.redact.lists import commands
from auditor.redact.spans import Finder, Span
from auditor.redact.values import made, placeholder

_FLAGS: dict[str, dict[str, str]] = commands()["flags"]
_AHEAD = 400  # characters after a word that its pattern may take
_MOST = 64  # arguments of one command that are looked at
_BEFORE = 160  # characters before a flag in which its command stands
_CUT = re.compile(r"\n|&&|\|\|?|;|\$\(|`")
_WORD = re.compile(r"[\w.-]{2,24}")
_VALUE = re.compile(r"""[ =](?:"(?P<d>[^"\n]{1,200})"|'(?P<s>[^'\n]{1,200})'|(?P<p>[^\s"'-][^\s"']{0,200}))""")
_GLUED = re.compile(r"""(?:"(?P<d>[^"\n]{3,200})"|'(?P<s>[^'\n]{3,200})'|(?P<p>[^\s"'=,;:-][^\s"'=,;]{3,200}))""")
_USER = re.compile(r"[\w.@\\+-]{1,100}[:%,](?=.)")
_PORT = re.compile(r"(?:[\d.]{1,15}:)?\d{1,5}(?::\d{1,5})?(?:/\w+)?")
_COOKIE = re.compile(r"""\s(?:-b|--cookie)[ =](?P<q>["']?)(?P<v>[^\s"';=]{1,80}=[^\n"']{1,2000})(?P=q)""")
_CURL = re.compile(
    r"""\s(?:-[A-Za-z]{0,8}[uU]|--user|--proxy-user)[ =]?"""
    r"""(?P<q>["']?)[^\s:"'$]{1,100}:(?P<v>[^\s"'$][^\s"']{0,200})(?P=q)"""
)


def arguments(items: list[Any]) -> dict[int, int]:
    """Which arguments are passwords, and from which character on: `["mysql", "-psecret"]` gives `{1: 2}`."""
    if not 2 <= len(items) <= _MOST or type(items[0]) is not str:
        return {}
    flags: dict[str, str] = {}
    found: dict[int, int] = {}
    waiting: str | None = None
    for i, item in enumerate(items):
        if type(item) is not str:
            return {}
        if waiting is not None:
            start = _start(item, waiting)
            waiting = None
            if start is not None:
                found[i] = start
                continue
        if not item.startswith("-"):
            flags = {**flags, **_FLAGS.get(item.rpartition("/")[2], {})}
        elif flags.get(item, "glued") != "glued":
            waiting = flags[item]
        elif len(item) > 5 and flags.get(item[:2]) in ("glued", "both"):
            found[i] = 2
    return found


def _start(item: str, how: str) -> int | None:
    """Where the password of an argument begins: all of it, or behind the name of its user."""
    if how != "user":
        return 0 if len(item) >= 3 and not _PORT.fullmatch(item) else None
    m = _USER.match(item)
    return m.end() if m is not None and not item.startswith("//", m.end()) else None


def _flag(text: str, start: int, _end: int) -> list[Span] | None:
    """` -p`: a password when a command before it takes one there."""
    m = _NAME.match(text, start + 1)
    if m is None:
        return None
    before = text[max(0, start - _BEFORE) : start]
    for cut in _CUT.finditer(before):
        last = cut.end()
        before = " " * last + before[last:]
    for word in _WORD.findall(before):
        how = _FLAGS.get(word, {}).get(m[0])
        if how is not None and (found := _behind(text, m.end(), how)):
            return found
    return None


_NAME = re.compile(r"--[A-Za-z-]+(?=[ =])|-pw(?= )|-[A-Za-z]|/p(?= )")


def _behind(text: str, at: int, how: str) -> list[Span] | None:
    spaced = text[at : at + 1] in (" ", "=")
    if (how == "glued" and spaced) or (how == "next" and not spaced):
        return None
    m = (_VALUE if spaced else _GLUED).match(text, at)
    if m is None or m.lastgroup is None:
        return None
    start, end = m.span(m.lastgroup)
    if how == "user":
        user = _USER.match(text, start, end)
        if user is None:
            return None
        start = user.end()
    value = text[start:end]
    if placeholder(value) or value[0] in "${<[" or (_PORT.fullmatch(value) and m.lastgroup == "p") or len(value) < 3:
        return None
    return [Span(start, end, "password")]


def _curl(text: str, start: int, _end: int) -> list[Span] | None:
    stop = text.find("\n", start, start + 600)
    stop = stop if stop > 0 else start + 600
    m, cookie = _CURL.search(text, start, stop), _COOKIE.search(text, start, stop)
    found = [] if m is None or placeholder(m["v"]) else [Span(m.start("v"), m.end("v"), "password")]
    return found + ([] if cookie is None else cookies(cookie["v"], cookie.start("v")))


def by_pattern(kind: str, pattern: re.Pattern[str], back: int = 0, *, guessable: bool = False) -> Finder:
    """A finder of what a pattern matches where its word stands, or that begins up to `back` characters before."""

    def find(text: str, start: int, _end: int) -> list[Span] | None:
        if back:
            m = pattern.search(text, max(0, start - back), start + _AHEAD)
            if m is not None and not m.start() <= start < m.end():
                m = None
        else:
            m = pattern.match(text, start)
        if m is None:
            return None
        group = "v" if "v" in pattern.groupindex else 0
        value = m[group]
        if placeholder(value) or value.startswith(("$", "{", "<")):
            return None
        return [Span(m.start(group), m.end(group), kind, guessable)]

    return find


def _only_made(finder: Finder) -> Finder:
    def find(text: str, start: int, end: int) -> list[Span] | None:
        found = finder(text, start, end)
        return found if found and made(text[found[0].start : found[0].end]) else None

    return find


LINES: tuple[tuple[str, Finder], ...] = (
    *((f" {flag}", _flag) for flag in sorted({f.lower() for flags in _FLAGS.values() for f in flags})),
    ("curl ", _curl),
    *(
        (line["by"], by_pattern("password", re.compile(line["is"], re.IGNORECASE), line.get("back", 0)))
        for line in commands()["lines"]
    ),
    *(
        (line["by"], by_pattern("code", re.compile(line["is"], re.IGNORECASE), line.get("back", 0), guessable=True))
        for line in commands()["codes"]
    ),
    *((line["by"], _only_made(by_pattern("token", re.compile(line["is"])))) for line in commands()["made"]),
)
