"""What may begin at a place in a text: given where a word or prefix stands, whether a secret begins there.

Rules. A finder looks at its place alone, and never further than its bounds allow, so that a text costs by its length. A
name followed by a value is judged by the name, as a key of an object would be.
"""

import re

from auditor.redact.commands import LINES, by_pattern
from auditor.redact.headers import header
from auditor.redact.keyblocks import BLOCKS
from auditor.redact.keys import classify
from auditor.redact.labels import calm, near, typed_code
from auditor.redact.lists import names
from auditor.redact.prefixed import PREFIXED
from auditor.redact.shapes import Shape
from auditor.redact.spans import Finder, Span
from auditor.redact.tables import TABLES, table
from auditor.redact.values import PUBLIC, code, made, number, path, placeholder, quantity, rooted, scrambled, tokenish

_NAMED = re.compile(
    r"""(?P<q>["'`]?)\s{0,3}(?P<sep>:=|=>|==?|：|:)[ \t]{0,8}(?:[NbruL](?=["']))?"""
    r"""(?P<v>"(?:[^"\\\n]|\\.){1,1024}"|'(?:[^'\\\n]|\\.){1,1024}'|`[^`\n]{1,1024}`"""
    r"""|(?:Bearer|Basic|Token|Bot|ApiKey)[ ]+[^\s"'<>,;]{4,1024}|[^\s"'`<>,;&|)\]}]{1,1024})""",
    re.IGNORECASE,
)
_FLAG_VALUE = re.compile(r"""[ \t]+(?P<v>"[^"\n]{1,1024}"|'[^'\n]{1,1024}'|[^\s"'-][^\s"']{0,1024})""")
_USERINFO = re.compile(r"://(?P<u>[^\s/?#@:\"'<>]{0,256}):(?P<v>[^\s/?#\"'<>]{1,512})@(?=[\w\[$.{-])")
_USERINFO_TOKEN = re.compile(r"://(?P<v>[A-Za-z0-9_.~-]{16,512})@(?=[\w\[])")
_JWT = re.compile(
    r"eyJ[A-Za-z0-9_-]{8,}\.(?:eyJ|e3)[A-Za-z0-9_-]{0,8000}\.[A-Za-z0-9_-]{0,2000}(?:\.[A-Za-z0-9_-]{1,8000}\.[A-Za-z0-9_-]{1,200})?"
)
_JWE = re.compile(
    r"eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{0,2000}\.[A-Za-z0-9_-]{8,200}\.[A-Za-z0-9_-]{1,8000}\.[A-Za-z0-9_-]{8,200}"
)
_SCHEME = re.compile(
    r"(?:bearer|basic|token|bot|negotiate|digest)[ ]+(?P<v>[A-Za-z0-9+/=_.~:-]{8,4000})", re.IGNORECASE
)
_MAILCHIMP = re.compile(r"[0-9a-f]{32}-us\d{1,2}(?!\w)")
_TELEGRAM = re.compile(r"(?P<v>\d{8,10}:A[A-H][A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])")
_AZURE_SECRET = re.compile(r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}")
_TERRAFORM = re.compile(r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}")
_IDENT = re.compile(r"[\w.$-]{0,100}")
_SCHEMES = ("bearer ", "basic ", "token ", "negotiate ")
_QUERY = frozenset(names()["text"]["in_url"].split())
_PART_OF = frozenset("/.#@-_\\$")
_URL = re.compile(r"[A-Za-z][\w+.-]{1,20}://")  # what is secret in one is found by itself
_IN_AUTHORITY = re.compile(r"://[^\s/@]{0,60}:$")
_NESTED = re.compile(r"(?:^|;)[\w ]{0,30}(?:password|pwd|accountkey|sharedaccesskey)=", re.IGNORECASE)
_PARAMETER = re.compile(r"[A-Za-z]{1,20}=[^=]")
_USER = re.compile(r"(?:pass|[\w.@-]{1,40}):(?=[^\s:/].{3})")  # --auth bob:secret, -passin pass:secret
_BENIGN_BEFORE = re.compile(r"\b(?:" + "|".join(names()["text"]["benign_before"].split()) + r") $", re.IGNORECASE)


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
    """A name with a value near it: `name=value`, `name: value`, `--name value`, `the name is value`."""
    while text[end - 1] in "=: '":
        end -= 1
    unspaced = text[end - 1] >= "\u0e00"
    while not unspaced and start and (text[start - 1].isalnum() or text[start - 1] in "_-.$") and end - start < 100:
        start -= 1
    while text[start] in ".$:":
        start += 1
    end = end if unspaced else _ident_end(text, end)
    name = text[start:end].strip("-._$:")
    strength = classify(name) or _in_query(text, start, name)
    if strength is None:
        return None
    low = name.lower()
    heads = low.endswith(("authorization", "cookie"))
    if not heads and calm(text, start, end, strength) and table(text, start, end) is None:
        return None
    before = text[max(0, start - 1) : start]
    if before == " " and _BENIGN_BEFORE.search(text, max(0, start - 24), start):
        return None
    if (before == ":" and "arn:" in text[max(0, start - 100) : start]) or name[-3:].lower() == "dsn":
        return None
    if heads and (found := header(text, end, low)) is not None:
        return found
    found = None if unspaced and text[end : end + 1] not in "\"'" else _by_sign(text, start, end, name, strength)
    return _near(text, start, end, name, strength) if found is None else found or None


def _near(text: str, start: int, end: int, name: str, strength: str) -> list[Span] | None:
    if (
        text[end : end + 1] in _PART_OF
        and not text.startswith(("\\n", '\\"', "\\\\"), end)
        and text[end : end + 3] != "..."
    ):
        return None
    if text[start - 1 : start] in ("$", "%") or text[start - 2 : start] == "${":
        return None
    found = near(text, start, end, strength, name.lower())
    if found is None:
        return table(text, start, end)
    if text[start - 1 : start] in ("?", "&") and (stop := text.find("&", *found)) > found[0]:
        found = found[0], stop  # a parameter of a URL ends where the next one begins
    spans = [Span(*found, _kind(strength), strength == "number")]
    if text.startswith((" to ", " → ", " -> "), found[1]) and (
        then := near(text, start, found[1], strength, name.lower())
    ):
        spans.append(Span(*then, _kind(strength), strength == "number"))
    return spans


def _by_sign(text: str, start: int, end: int, name: str, strength: str) -> list[Span] | None:
    m = _NAMED.match(text, end)
    if m is not None:
        return _value(text, m, strength, quoted=bool(m["q"]), separator=m["sep"])
    if text[start - 2 : start] == "--" or text.startswith("--", start) or text.startswith("-", start):
        m = _FLAG_VALUE.match(text, end)
    elif start and text[start - 1] == "/" and "." in text[:start][-300:]:
        return None
    if m is None:
        return _spaced(text, start, end, name, strength)
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
        if separator == ":" and _IN_AUTHORITY.search(text, max(0, start - 80), start):
            return []
        stripped = value.rstrip(".,;:!?\\")
        end -= len(value) - len(stripped)
        value = stripped
    if _URL.match(value) or (in_quotes and _NESTED.search(value)) or (strength != "strong" and _PARAMETER.match(value)):
        return []
    if separator == " " and (user := _USER.match(value)) is not None:
        start, value = start + user.end(), value[user.end() :]
    head = value.split(" ", 1)
    if len(head) == 2 and head[0].lower() in ("bearer", "basic", "token", "bot", "apikey"):
        start += len(head[0]) + len(head[1]) - len(head[1].lstrip()) + 1
        value = head[1].lstrip()
    if (
        placeholder(value)
        or (not in_quotes and code(value))
        or "[REDACTED:" in value
        or (rooted(value) and path(value))
    ):
        return [] if any(c.isalnum() for c in value) else None
    if not _believable(value, strength, strict=not in_quotes and not quoted and separator in (":", " ", "：")):
        return None if _led_to(value) else []
    return [Span(start, end, _kind(strength), strength == "number")]


def _led_to(value: str) -> bool:
    """Whether what follows a name may be a word on the way to its value: `Password: the one is …`."""
    return value.isalpha() and len(value) < 20


def _believable(value: str, strength: str, *, strict: bool) -> bool:
    if strength == "number":
        return number(value) and (not strict or typed_code(value, led=True))
    if strength == "token":
        return tokenish(value)
    if strength == "made":
        return made(value)
    if strict:
        return (
            any(c.isdigit() or not c.isalnum() for c in value)
            and len(value) >= 4
            and not value.endswith((")", "("))
            and not quantity(value)
        ) or (tokenish(value) or scrambled(value))
    return len(value) >= 3 or value.isdigit()


def _kind(strength: str) -> str:
    return {"strong": "password", "token": "token", "made": "token", "number": "code"}[strength]


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
    if m is None or _PARAMETER.match(m["v"]) or (not tokenish(m["v"].strip("\"'")) and not _typed(m["v"], strength)):
        return None
    return [Span(m.start("v"), m.end("v"), _kind(strength))]


def _jwt(text: str, start: int, _end: int) -> list[Span] | None:
    if start and (text[start - 1].isalnum() or text[start - 1] in "_-") and text[start - 2 : start] != "\\n":
        return None
    m = _JWT.match(text, start) or _JWE.match(text, start)
    return None if m is None else [Span(start, m.end(), "jwt")]


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


_NEW_RELIC = re.compile(r"(?<![0-9A-Za-z])(?:eu01xx[0-9a-f]{30}|[0-9a-f]{32,36}(?:FFFF)?)NRAL(?![0-9A-Za-z])")
_AZURE = (  # a mark of the service within
    ("+ast", 76, r"\+ASt.{6}=="), ("+aba", 76, r"\+ABa.{6}=="), ("acdb", 76, r"ACDb.{4,6}=="),
    ("+amc", 76, r"\+AMC.{6}=="),
    ("+acr", 42, r"\+ACR.{6}"), ("azse", 42, r"AzSe.{6}"), ("azca", 33, r"AzCa.{6}="), ("+aeh", 33, r"\+AEh.{6}="),
    ("+asb", 33, r"\+ASb.{6}="), ("aiot", 33, r"AIoT.{6}="), ("azfu", 44, r"AzFu.{6}=="), ("apim", 76, r"APIM.{4}"),
    ("jqqj99", 52, r"JQQJ99.{22,30}"), ("acog", 33, r".{0,46}ACOG.{4}"), ("azdo", 76, r"AZDO.{4}"),
)  # fmt: skip


def _azure(front: int, rest: str) -> re.Pattern[str]:
    letter = "[A-Za-z0-9+/]"
    return re.compile(rf"(?<!{letter}){letter}{{{front}}}{rest.replace('.', letter)}(?!{letter})")


_RAPID_API = re.compile(r"(?<![a-z0-9])[a-z0-9]{10}msh[a-z0-9]{15}p1[a-z0-9]{5}jsn[a-z0-9]{12}(?![a-z0-9])")
_MAXMIND = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk")
_OFFICE = re.compile(r"webhook\.office\.com/webhookb2/(?P<v>[\w@-]{36,80}/IncomingWebhook/[\w/-]{30,400})")
_DEEPL = re.compile(r"(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}:fx(?!\w)")
_FCM = re.compile(r"(?<![\w-])[\w-]{11,22}:APA91b[\w-]{100,200}", re.ASCII)
_CONVEX = re.compile(r"(?:prod|dev|preview):[a-z][\w:-]{5,60}\|(?P<v>[A-Za-z0-9+/=_-]{40,400})")

SPECIAL: tuple[tuple[str, Finder], ...] = (
    *BLOCKS, *TABLES, ("eyj", _jwt), ("://", _userinfo), *((scheme, _scheme) for scheme in _SCHEMES),
    ("-us", by_pattern("mailchimp", _MAILCHIMP, 33)),
    *((f":a{c}", by_pattern("telegram-bot", _TELEGRAM, 10)) for c in "abcdefgh"),
    ("q~", by_pattern("azure-ad-secret", _AZURE_SECRET, 4)),
    ("nral", by_pattern("new-relic-license", _NEW_RELIC, 40)),
    *((mark, by_pattern("azure-key", _azure(front, rest), front)) for mark, front, rest in _AZURE),
    *PREFIXED, (":fx", by_pattern("deepl", _DEEPL, 36)), (":apa91b", by_pattern("fcm-token", _FCM, 24)),
    ("msh", by_pattern("rapid-api", _RAPID_API, 10)),
    ("_mmk", by_pattern("maxmind", _MAXMIND, 36)), ("webhook.office.com/", by_pattern("teams-webhook", _OFFICE)),
    *((head, by_pattern("convex", _CONVEX)) for head in ("prod:", "dev:", "preview:")),
    (".atlasv1.", by_pattern("terraform-cloud", _TERRAFORM, 14)), *LINES,
)  # fmt: skip
