"""What may begin at a place in a text: given where a word or prefix stands, whether a secret begins there.

Rules. A finder looks at its place alone, and never further than its bounds allow, so that a text costs by its length. A
name followed by a value is judged by the name, as a key of an object would be.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from auditor.redact.keys import classify
from auditor.redact.lists import names
from auditor.redact.shapes import Shape
from auditor.redact.values import PUBLIC, code, made, number, placeholder, tokenish


class Span(NamedTuple):
    """A secret in a text: where, what kind, and whether it could be guessed (then it has no fingerprint)."""

    start: int
    end: int
    kind: str
    guessable: bool = False


Finder = Callable[[str, int, int], "list[Span] | None"]

_NAMED = re.compile(
    r"""(?P<q>["'`]?)\s{0,3}(?P<sep>:=|=>|==?|：|:)[ \t]{0,8}"""
    r"""(?P<v>"(?:[^"\\\n]|\\.){1,1024}"|'(?:[^'\\\n]|\\.){1,1024}'|`[^`\n]{1,1024}`"""
    r"""|(?:Bearer|Basic|Token|Bot|ApiKey)[ ]+[^\s"'<>,;]{4,1024}|[^\s"'`<>,;&|)\]}]{1,1024})""",
    re.IGNORECASE,
)
_FLAG_VALUE = re.compile(r"""[ \t]+(?P<v>"[^"\n]{1,1024}"|'[^'\n]{1,1024}'|[^\s"'-][^\s"']{0,1024})""")
_PROSE = re.compile(
    r"""["'»”]?\s*(?:\([^()\n]{1,40}\)\s*)?(?:for\s+[\w@.-]{1,60}\s+|de\s+[\w@.-]{1,60}\s+|für\s+[\w@.-]{1,60}\s+)?"""
    r"""(?:is\ now|is\ set\ to|set\ to|was|is|es|est|ist|é|e'|to|jest|это|—|-|são|lautet|olarak|wynosi"""
    r"""|=|は|が|是|為|为|：|:|은|는|이|가|है)\s*[:：]?\s*"""
    r"""(?P<v>"[^"\n]{1,200}"|'[^'\n]{1,200}'|`[^`\n]{1,200}`|“[^”\n]{1,200}”|「[^」\n]{1,200}」|«[^»\n]{1,200}»|[^\s"'`<>,;，。；、]{3,200})""",
    re.IGNORECASE | re.VERBOSE,
)
_USERINFO = re.compile(r"://(?P<u>[^\s/?#@:\"'<>]{0,256}):(?P<v>[^\s/?#\"'<>]{1,512})@(?=[\w\[$.{-])")
_USERINFO_TOKEN = re.compile(r"://(?P<v>[A-Za-z0-9_.~-]{16,512})@(?=[\w\[])")
_PEM = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"(?:\\[nr]|[A-Za-z0-9+/=\s:,.\-()])*")
_JWT = re.compile(
    r"eyJ[A-Za-z0-9_-]{8,}\.(?:eyJ|e3)[A-Za-z0-9_-]{0,8000}\.[A-Za-z0-9_-]{0,2000}(?:\.[A-Za-z0-9_-]{1,8000}\.[A-Za-z0-9_-]{1,200})?"
)
_JWE = re.compile(
    r"eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{0,2000}\.[A-Za-z0-9_-]{8,200}\.[A-Za-z0-9_-]{1,8000}\.[A-Za-z0-9_-]{8,200}"
)
_SCHEME = re.compile(
    r"(?:bearer|basic|token|bot|negotiate|digest)[ ]+(?P<v>[A-Za-z0-9+/=_.~:-]{8,4000})", re.IGNORECASE
)
_CURL_USER = re.compile(r"[ \t]+(?P<q>[\"']?)(?P<u>[^\s:\"'$]{1,100}):(?P<v>[^\s\"']{1,200})(?P=q)")
_DASH_P = re.compile(r"""[ ]+(?P<v>"[^"\n]{3,200}"|'[^'\n]{3,200}'|[^\s"'-][^\s"']{2,200})""")
_MYSQL_P = re.compile(r"-p(?P<v>[^\s\"'=,;]{4,200})")
_NET_USE = re.compile(r"net use \S{1,40} \S{1,200} (?P<v>[^\s/][^\s]{2,200})", re.IGNORECASE)
_MC_ALIAS = re.compile(
    r"mc (?:alias set|config host add) \S{1,100} \S{1,300} \S{1,200} (?P<v>\S{6,200})", re.IGNORECASE
)
_HERE_STRING = re.compile(r"<<<\s*[\"']?(?P<v>[A-Za-z0-9_+/=.~-]{16,400})")
_NETRC = re.compile(r"login\s+\S{1,200}\s+password\s+(?P<v>\S{1,200})")
_MAILCHIMP = re.compile(r"[0-9a-f]{32}-us\d{1,2}(?!\w)")
_TELEGRAM = re.compile(r"(?P<v>\d{8,10}:AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])")
_AZURE_SECRET = re.compile(r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}")
_TERRAFORM = re.compile(r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}")
_IDENT = re.compile(r"[\w.$-]{0,100}")
_SCHEMES = ("bearer ", "basic ", "token ", "negotiate ")
_QUERY = frozenset(names()["text"]["in_url"].split())
_TAKES_PASSWORD = tuple(names()["text"]["commands"].split())


def by_shape(kind: str, one: Shape) -> Finder:
    pattern, begins_word = one.pattern, one.literal[0].isalnum()

    def find(text: str, start: int, _end: int) -> list[Span] | None:
        if begins_word and start and (text[start - 1].isalnum() and text[start - 2 : start] != "\\n"):
            return None
        m = pattern.match(text, start)
        if m is None or m[0] in PUBLIC or _dull(m[0]):
            return None
        return [Span(start, m.end(), kind)]

    return find


def _dull(token: str) -> bool:
    """Too regular to be a secret: one letter again and again, as in documentation."""
    tail = token[-16:]
    return len(set(tail)) <= 3 or "EXAMPLE" in token or "xxxx" in token.lower()


def named(text: str, start: int, end: int) -> list[Span] | None:
    """A name with a value behind it: `name=value`, `name: value`, `--name value`, `the name is value`."""
    if text[end - 1] in "=: ":
        end -= 1
    while start and (text[start - 1].isalnum() or text[start - 1] in "_-.$") and end - start < 100:
        start -= 1
    while text[start] in ".$:":
        start += 1
    end = _ident_end(text, end)
    name = text[start:end].strip("-._$:")
    strength = classify(name) or _in_query(text, start, name)
    if strength is None:
        return None
    m = _NAMED.match(text, end)
    if m is not None:
        return _value(text, m, strength, quoted=bool(m["q"]), separator=m["sep"])
    if text[start - 2 : start] == "--" or text.startswith("--", start) or text.startswith("-", start):
        m = _FLAG_VALUE.match(text, end)
    elif start and text[start - 1] == "/" and "." in text[:start][-300:]:
        return None
    if m is None:
        return _prose(text, end, strength) or _spaced(text, start, end, name, strength)
    return _value(text, m, strength, quoted=False, separator=" ")


def _ident_end(text: str, end: int) -> int:
    m = _IDENT.match(text, end)
    assert m is not None
    stop = m.end()
    while stop > end and text[stop - 1] in ".-$":
        stop -= 1
    return stop


def _in_query(text: str, start: int, name: str) -> str | None:
    """Names that say something only as parameters of a URL."""
    if start and text[start - 1] in "?&#;" and name.lower() in _QUERY:
        return "token"
    return None


def _value(text: str, m: re.Match[str], strength: str, *, quoted: bool, separator: str) -> list[Span] | None:
    start, end = m.span("v")
    value = text[start:end]
    if len(value) > 1 and value[0] in "\"'`" and value[-1] == value[0]:
        start, end, value = start + 1, end - 1, value[1:-1]
        in_quotes = True
    else:
        in_quotes = False
        if value.startswith("//") or (separator == ":" and value.startswith(":")):
            return None
        stripped = value.rstrip(".,;:!?\\")
        end -= len(value) - len(stripped)
        value = stripped
    head = value.split(" ", 1)
    if len(head) == 2 and head[0].lower() in ("bearer", "basic", "token", "bot", "apikey"):
        start += len(head[0]) + len(head[1]) - len(head[1].lstrip()) + 1
        value = head[1].lstrip()
    if placeholder(value) or (not in_quotes and code(value)) or "[REDACTED:" in value:
        return None
    if not _believable(value, strength, strict=not in_quotes and not quoted and separator in (":", " ", "：")):
        return None
    return [Span(start, end, _kind(strength), strength == "number")]


def _believable(value: str, strength: str, *, strict: bool) -> bool:
    if strength == "number":
        return number(value)
    if strength == "token":
        return tokenish(value)
    if strength == "made":
        return made(value)
    if strict:
        return (
            any(c.isdigit() or not c.isalnum() for c in value) and len(value) >= 4 and not value.endswith((")", "("))
        ) or tokenish(value)
    return len(value) >= 3 or value.isdigit()


def _kind(strength: str) -> str:
    return {"strong": "password", "token": "token", "made": "token", "number": "code"}[strength]


def _prose(text: str, end: int, strength: str) -> list[Span] | None:
    m = _PROSE.match(text, end)
    if m is None:
        return None
    start, stop = m.span("v")
    value = text[start:stop]
    if len(value) > 2 and value[0] in "\"'`“「«":
        start, stop, value = start + 1, stop - 1, value[1:-1]
    else:
        stripped = value.rstrip(".,;:!?。，)")
        stop -= len(value) - len(stripped)
        value = stripped
    if placeholder(value) or code(value) or not _typed(value, strength):
        return None
    return [Span(start, stop, _kind(strength), strength == "number")]


def _typed(value: str, strength: str) -> bool:
    """Whether a word of running text is a secret that somebody chose, and no word of the sentence."""
    if strength == "number":
        return sum(c.isdigit() for c in value) >= 3 and number(value)
    if " " in value or len(value) < 4 or (strength == "made" and not made(value)):
        return False
    kinds = (
        any(c.isdigit() for c in value)
        + any(not c.isalnum() and c not in "-'’/." for c in value)
        + any(c.isupper() for c in value[1:])
    )
    return (
        kinds >= 2
        or (kinds == 1 and any(c.isdigit() for c in value) and any(c.isalpha() for c in value))
        or tokenish(value)
    )


def _spaced(text: str, start: int, end: int, name: str, strength: str) -> list[Span] | None:
    """`aws configure set aws_secret_access_key VALUE`, `.netrc`: a name of several words and a value behind a space."""
    if (
        "_" not in name
        and not text.startswith("login ", max(0, start - 200))
        and "login" not in text[max(0, start - 120) : start]
    ):
        return None
    m = _FLAG_VALUE.match(text, end)
    if m is None or (not tokenish(m["v"].strip("\"'")) and not _typed(m["v"], strength)):
        return None
    return [Span(m.start("v"), m.end("v"), _kind(strength))]


def _pattern(kind: str, pattern: re.Pattern[str], back: int = 0) -> Finder:
    def find(text: str, start: int, _end: int) -> list[Span] | None:
        if back:
            m = pattern.search(text, max(0, start - back), start + 8000)
            if m is not None and not m.start() <= start < m.end():
                m = None
        else:
            m = pattern.match(text, start)
        if m is None:
            return None
        group = "v" if "v" in pattern.groupindex else 0
        value = m[group]
        if placeholder(value) or value.startswith(("$", "{")):
            return None
        return [Span(m.start(group), m.end(group), kind)]

    return find


def _jwt(text: str, start: int, _end: int) -> list[Span] | None:
    if start and (text[start - 1].isalnum() or text[start - 1] in "_-") and text[start - 2 : start] != "\\n":
        return None
    m = _JWT.match(text, start) or _JWE.match(text, start)
    return None if m is None else [Span(start, m.end(), "jwt")]


def _pem(text: str, start: int, _end: int) -> list[Span] | None:
    m = _PEM.match(text, start)
    if m is None:
        return None
    stop = _PEM_END.search(text, m.end(), m.end() + 20_000)
    body = _PEM_BODY.match(text, m.end())
    assert body is not None
    end = stop.start() if stop is not None and stop.start() <= body.end() + 8 else body.end()
    return [Span(m.end(), end, "private-key")] if end - m.end() > 8 else None


def _scheme(text: str, start: int, _end: int) -> list[Span] | None:
    m = _SCHEME.match(text, start)
    if m is None or (start and text[start - 1].isalnum()):
        return None
    value = m["v"].rstrip(".,;:")
    if placeholder(value) or not tokenish(value) or not (any(c.isdigit() for c in value) or len(value) >= 20):
        return None
    return [Span(m.start("v"), m.start("v") + len(value), "token")]


def _userinfo(text: str, start: int, _end: int) -> list[Span] | None:
    m = _USERINFO.match(text, start) or _USERINFO_TOKEN.match(text, start)
    if m is None or placeholder(m["v"]) or m["v"].startswith(("$", "{", "<")):
        return None
    return [Span(m.start("v"), m.end("v"), "url-password")]


def _docker_p(text: str, start: int, end: int) -> list[Span] | None:
    """`-p VALUE` behind a command that takes a password there."""
    before = text[max(0, start - 80) : start]
    if not any(c in before for c in _TAKES_PASSWORD):
        return None
    m = _DASH_P.match(text, end - 1)
    if m is None or placeholder(m["v"]):
        return None
    quoted = m["v"][0] in "\"'"
    return [Span(m.start("v") + quoted, m.end("v") - quoted, "password")]


def _mysql_p(text: str, start: int, _end: int) -> list[Span] | None:
    before = text[max(0, start - 120) : start]
    if not any(c in before for c in ("mysql", "mariadb", "sshpass", "7z", "unrar")) or text[start : start + 1] != " ":
        return None
    m = _MYSQL_P.match(text, start + 1)
    return None if m is None or placeholder(m["v"]) else [Span(m.start("v"), m.end("v"), "password")]


def _user_flag(text: str, start: int, end: int) -> list[Span] | None:
    if "curl" not in text[max(0, start - 300) : start] and "http" not in text[max(0, start - 300) : start]:
        return None
    m = _CURL_USER.match(text, end - 1)
    return None if m is None or placeholder(m["v"]) else [Span(m.start("v"), m.end("v"), "password")]


SPECIAL: tuple[tuple[str, Finder], ...] = (
    ("-----begin ", _pem), ("eyj", _jwt), ("://", _userinfo),
    *((scheme, _scheme) for scheme in _SCHEMES), (" -p ", _docker_p), (" -a ", _docker_p), (" -w ", _docker_p),
    (" -p", _mysql_p), (" -u ", _user_flag), (" --user ", _user_flag),
    ("net use ", _pattern("password", _NET_USE)), ("mc alias set ", _pattern("secret-key", _MC_ALIAS)),
    ("<<<", _pattern("token", _HERE_STRING)), ("mc config host add ", _pattern("secret-key", _MC_ALIAS)),
    ("login ", _pattern("password", _NETRC)), ("-us", _pattern("mailchimp", _MAILCHIMP, 33)),
    (":aa", _pattern("telegram-bot", _TELEGRAM, 10)), ("q~", _pattern("azure-ad-secret", _AZURE_SECRET, 4)),
    (".atlasv1.", _pattern("terraform-cloud", _TERRAFORM, 14)),
)  # fmt: skip
