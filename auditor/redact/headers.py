"""Headers that carry secrets with other things: the schemes of `Authorization`, the pairs of `Cookie`."""

import re

from auditor.redact.keys import classify
from auditor.redact.spans import Span
from auditor.redact.values import made, placeholder, tokenish

_GAP = re.compile(r"""["'`]?\s{0,3}(?:[:=,]|=>)\s{0,8}(?:[bru]?["'`])?""")
_LINE = re.compile(r"""[^\r\n"'`]{1,4096}""")
_CREDENTIALS = re.compile(
    r"(?:(?P<scheme>[A-Za-z][\w-]{1,30})[ ]+)?(?:[\w.@-]{1,60}:(?=[^\s:]{8}))?(?P<v>[^\s,;\"'`]{4,4096})"
)
_PARAMETERS = re.compile(
    r"(?:response|signature|oauth_signature|oauth_token|token|mac)\s?=\s?\\?\"?(?P<v>[^\s,\"\\]{6,800})", re.I
)
_PAIR = re.compile(r"(?:^|;\s{0,4})(?P<name>[\w.!$%-]{1,80})=(?P<v>[^;\s]{1,4096})")
_MEASURING = (
    "_ga",
    "_gid",
    "_fbp",
    "_gcl",
    "utm",
    "_hj",
    "ajs_",
    "amplitude",
    "mp_",
    "optimizely",
    "path",
    "domain",
    "max-age",
    "expires",
)
_SESSION = re.compile(r"sess|sid$|auth|token|jwt|remember|login|csrf|xsrf|secret|user_?key|\.id$", re.I)


def header(text: str, end: int, name: str) -> list[Span] | None:
    """The secrets of an `Authorization` or a `Cookie`, whose name ends at `end`; None when there is no such thing."""
    m = _GAP.match(text, end)
    line = _LINE.match(text, m.end()) if m is not None else None
    if m is None or line is None:
        return None
    shown = line[0].partition("ookie:")[0]
    if name.endswith("cookie"):
        return cookies(shown, line.start(), first_only=name.startswith("set"))
    if "=" in line[0].partition(" ")[2] and ("," in line[0] or text[line.end() : line.end() + 1] == '"'):
        whole = text[line.start() : line.start() + 2000].partition("\n")[0].partition("uthorization:")[0]
        found = [
            Span(line.start() + p.start("v"), line.start() + p.end("v"), "token") for p in _PARAMETERS.finditer(whole)
        ]
        if found:
            return found
    v = _CREDENTIALS.match(text, line.start())
    if v is None or (v["scheme"] is None and placeholder(v["v"])):
        return None
    value = v["v"].rstrip(".,;:)]}")
    told = value.partition("=")
    start = v.start("v")
    if told[2].strip("=") and told[0].replace("!", "").replace("@", "").replace("_", "").isalpha():
        start, value = start + len(told[0]) + 1, told[2]
    if placeholder(value) or not (tokenish(value) if v["scheme"] else made(value)):
        return None
    return [Span(start, start + len(value), "token")]


def cookies(line: str, at: int, *, first_only: bool = False) -> list[Span]:
    """The secrets among the pairs of a cookie that begins at `at`."""
    found: list[Span] = []
    if _PAIR.match(line) is None:
        return found
    for m in _PAIR.finditer(line):
        name, value = m["name"], m["v"].rstrip(",.")
        telling = bool(classify(name) or _SESSION.search(name))
        if (
            not name.lower().startswith(_MEASURING)
            and not placeholder(value)
            and (made(value) or (telling and (tokenish(value) or len(value) >= 8)))
        ):
            found.append(Span(at + m.start("v"), at + m.start("v") + len(value), "cookie"))
        if first_only:
            break
    return found
