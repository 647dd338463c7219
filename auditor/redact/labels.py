"""A name in a text and the secret near it: in prose of many languages, in markup and in code.

Rules. From the name the text is read word by word, and no further than words lead that may stand between a name and its
value. What is taken then has to look chosen by somebody or made by a machine; the less leads to it, the more so.
"""

import re

from auditor.redact.lists import names, prose
from auditor.redact.values import code, made, number, path, placeholder, rooted, scrambled, tokenish, wordlike

_MOST = 24  # steps from a name to its secret
_BACK = 120  # characters before a name in which its secret may stand
_COPULAS, _BETWEEN, _OF = (frozenset(prose()[k].split()) for k in ("copulas", "between", "of"))
_ABOUT = frozenset(names()["not"]["about"].split()) - _COPULAS - _BETWEEN - _OF
_KNOWN = _COPULAS | _BETWEEN | _OF
_UNSPACED = re.compile("|".join(sorted(map(re.escape, prose()["unspaced"].split()), key=len, reverse=True)))

_STEP = re.compile(
    r"(?P<blank>[ \t\u3000]{1,16}|[ \t]{0,8}(?:\\r)?(?:\\n|\r?\n)[ \t>]{0,16})"
    r"|(?P<tag></?[A-Za-z][^<>\n]{0,80}>|(?<=[\"'\w])/?>)"
    r"|(?P<mark>>[+-]?(?=[ \t]*\n)|['’]s(?=\s)|/(?=\s)|=>|->|:=|==?|[:：＝=→⇒|]|[—–-](?=\s)|\.{3,20}:?|&#61;|%3D)"
    r"|(?P<open>\\{1,8}[\"']|&(?:quot|apos|#34|#39|#x27|#x22);|[\"'`“”„«»「」『』（）()【】\[\]{}*_~]|[NbrL](?=[\"']))"
    r"|(?P<comma>,)"
    r"|(?P<plain>[a-z]{1,40}(?=[:,.;!?]?[ \n]))"
    r"|(?P<word>[^\W\d_](?:[\w’'-]|[.@](?=\w)){0,40}|\d(?=[ \t]))"
)
_QUOTED = {
    '"': '"', "'": "'", "`": "`", "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』",
}  # fmt: skip
_VALUE = re.compile(r"[!#-&(-;=?-_a-{}~|\\]{3,200}", re.ASCII)
_ENDS = re.compile(
    r"[|,;](?=\s|$)|&(?:quot|apos|lt|gt|#\d{1,4}|#x\w{1,4});|\\+[\"'nrt]|</|[)\]}](?=[\s.,;:!?]|$)|\*\*|\)$"
)
_BLANKLESS = re.compile(r"\S+")
_GLUED = re.compile(r"(?P<c>\d{4,8})\s?(?:是|為|为|が|は|는|은)(?:您的|你的|あなたの)?\w{0,8}$")
_VAGUE = frozenset(("secret", "secrets", "auth", "cookie", "pass"))
_PAIRS = ("cred", "zugangs", "login")
_USER = re.compile(r"[A-Za-z][\w.@-]{0,40}(?:/|:(?!/))(?=\S{4})")  # credentials: bob/secret
_GATES = frozenset((*prose()["backwards"].split(), "asked", "when", "that's", "that’s"))
_NO_QUOTES = ("", "*", "_", "(", "（")
_VALUE_LINE = re.compile(r"\s*(?:value|val|default|content)\b")
_CALM = re.compile(rf"(?:[:,.;!?]?[ \n](?:\| )?[a-z]{{1,40}}){{{_MOST // 2}}}(?=[:,.;!?]?[ \n])")


class _Way:
    """How far a reading has come from a name: what led on, and whether it is sure."""

    def __init__(self, text: str, start: int, end: int, name: str) -> None:
        self.text, self.start, self.end, self.at = text, start, end, end
        self.pair, self.vague = name.startswith(_PAIRS), name in _VAGUE
        self.led = name.startswith("cv")
        self.opened = ""
        self.element = end + 1 < len(text) and text[end] == ">" and text[start - 1 : start] == "<"
        self.keyword = text[start:end].isupper()
        self.lines, self.strange, self.allowed = 0, 0, 1

    @property
    def quoted(self) -> bool:
        return self.opened not in _NO_QUOTES

    def sign(self, kind: str, found: str) -> bool:
        """Go past a sign or a blank; false where nothing leads on."""
        first, self.at = self.at == self.end, self.at + len(found)
        if kind == "blank":
            self.lines += "\n" in found or "\\n" in found
            lines_end = self.lines and first and not _alone(self.text, self.start)
            return self.lines < 2 and not (lines_end and not _VALUE_LINE.match(self.text, self.at))
        if kind == "comma":
            known = self.quoted or self.text[self.at : self.at + 1] == " "
            self.opened = ""
            return known
        if kind == "open":
            self.opened = found
        else:
            self.led, self.opened = True, ""
        return True

    def word(self, found: str) -> bool:
        """Go past a word; false for one that leads nowhere."""
        word = found.lower().rstrip("-'’")
        if word in _ABOUT or word[0] >= "\u2e80" or self.at == self.end:
            return False
        self.at += len(found)
        self.opened = ""
        if word in _COPULAS:
            self.led = True
        elif word in _OF:
            self.led, self.allowed = False, 3
        elif word not in _BETWEEN:
            self.strange += 1
        return self.strange <= self.allowed


def near(text: str, start: int, end: int, strength: str, name: str) -> tuple[int, int] | None:
    """Where the secret is that a name from `start` to `end` speaks of; None when there is none near.

    A vague name ("secret") has to lead to it in so many words.
    """
    return _ahead(_Way(text, start, end, name), strength) or _behind(text, start, strength)


def calm(text: str, start: int, end: int, strength: str) -> bool:
    """Whether there plainly is none near: so many words of small letters follow the name that the steps to a secret
    are used up among them (each takes a blank and a word at least), and what is before it leads back to none."""
    return _CALM.match(text, end) is not None and _behind(text, start, strength) is None


def _ahead(way: _Way, strength: str) -> tuple[int, int] | None:
    text = way.text
    for _ in range(_MOST):
        m = _STEP.match(text, way.at)
        kind = m.lastgroup if m is not None else None
        if m is not None and kind == "plain" and not way.opened:
            if not way.word(m[0]):
                return None
            continue
        if m is not None and kind is not None and kind not in ("plain", "word"):
            if not way.sign(kind, m[0]):
                return None
            continue
        glued = _UNSPACED.match(text, way.at)
        if glued is not None:
            way.led, way.at = True, glued.end()
            continue
        plain = m is not None and m[0].islower() and m[0] in _KNOWN and text[m.end() : m.end() + 1] == " "
        span = None if plain else _take(way)
        if span is not None and _fits(way, span, strength):
            return span if way.at > way.end or text[way.end - 1] >= "\u0e00" else None
        if m is None or not way.word(m[0]):
            return None
    return None


def _alone(text: str, start: int) -> bool:
    """Whether nothing but signs stands before a name on its line."""
    line = text.rfind("\n", max(0, start - 80), start) + 1
    return (line > 0 or start < 80) and not any(c.isalnum() for c in text[line:start])


def _take(way: _Way) -> tuple[int, int] | None:
    text, at, opened = way.text, way.at, way.opened
    if opened and (close := _QUOTED.get(opened)):
        stop = min((p for c in close if (p := text.find(c, at, at + 200)) > at), default=-1)
        if stop > 0 and "\n" not in text[at:stop]:
            return at, at + len(text[at:stop].rstrip())
    m = _VALUE.match(text, at)
    if m is None:
        return None
    ends = _ENDS.search(text, at, m.end() + 1)
    stop = min(m.end(), ends.start()) if ends is not None and ends.start() > at else m.end()
    while stop > at and text[stop - 1] in ".,;:!?)]}*`\\":
        stop -= 1
    user = _USER.match(text, at, stop) if way.pair else None
    if user is not None and chosen(text[user.end() : stop], sure=True):
        at = user.end()
    return (at, stop) if stop - at >= 3 else None


def _fits(way: _Way, span: tuple[int, int], strength: str) -> bool:
    value = way.text[span[0] : span[1]]
    after = way.text[span[1] : span[1] + 1]
    if (after == ":" and way.lines) or (value[0] == "-" and not way.quoted):
        return False
    if (
        strength == "strong"
        and ((way.element and after == "<") or (way.keyword and way.quoted and not way.strange and way.allowed == 1))
        and not set(" =") & set(value)
    ):
        return not (placeholder(value) or "[REDACTED" in value or code(value))
    if way.vague and not way.led:
        strength = "made"
    quoted = way.quoted and way.opened != "`"  # what stands so is often code
    return fits(value, strength, led=way.led, quoted=quoted, strange=way.strange > 0)


def fits(value: str, strength: str, *, led: bool, quoted: bool = False, strange: bool = False) -> bool:
    """Whether a word near a name is its secret; `led`: words or signs say so."""
    if value.isascii() and value.isalpha() and value.islower():
        return False  # nothing that was made or chosen: most words end here
    if (
        placeholder(value)
        or "[REDACTED" in value
        or "://" in value
        or (path(value) and (strength != "strong" or rooted(value)))
    ):
        return False
    if strength == "number":
        return (led or not strange) and typed_code(value, led=led)
    if " " in value or (code(value) and not quoted) or wordlike(value):
        return False
    if strength == "strong":
        return chosen(value, sure=led or quoted)
    if strength == "made":
        return made(value)
    return made(value) or (led and tokenish(value) and chosen(value, sure=True))


def typed_code(value: str, *, led: bool) -> bool:
    digits = sum(c.isdigit() for c in value)
    if not value.translate(_JOINTS).isalnum() or value[:1] in " -":
        return False
    if value.isdigit():
        return (3 if led else 4) <= digits <= 20
    return led and digits >= 3 and number(value) and not wordlike(value)


_BASE32 = re.compile(r"[A-Z2-7]{16,64}")
_JOINTS = str.maketrans("", "", "- ./")


def chosen(value: str, *, sure: bool) -> bool:
    """Whether a word looks like a password: no word of a sentence, no number with its unit."""
    if not 4 <= len(value) <= 200:
        return False
    digits, letters = sum(c.isdigit() for c in value), sum(c.isalpha() for c in value)
    signs = len(value) - digits - letters - sum(c in "-_.'’/" for c in value)
    if sure and _BASE32.fullmatch(value):
        return True
    if digits and letters:
        return sure or (len(value) >= 6 and (digits >= 2 or signs > 0 or scrambled(value)))
    if signs and (letters or digits) and len(value) >= 6:
        return value[0].isalnum() or signs > 1
    if digits == len(value):
        return sure and digits >= 4
    return scrambled(value)


def _behind(text: str, start: int, strength: str) -> tuple[int, int] | None:
    """`… is the password`: the word before the last word that says so."""
    at = max(0, start - _BACK)
    before = text[at:start]
    if not before.isascii() and (m := _GLUED.search(before[-40:])) is not None and strength == "number":
        end = start - min(40, len(before)) + m.end("c")
        return end - len(m["c"]), end
    if _GATES.isdisjoint(before.lower().rsplit(None, 4)[-4:]):
        return None
    said = before.rsplit(None, 7)[-7:]
    words = [w.lower() for w in said]
    i = next((i for i in range(len(words) - 1, max(len(words) - 5, -1), -1) if words[i] in _GATES), -1)
    while i > 0 and words[i - 1] in _GATES:
        i -= 1
    if i <= 0:
        return None
    value = said[i - 1].lstrip("\"'`“«「([【").rstrip("\"'`,.;:)]”»」")
    if not value.isascii() or len(value) < 4 or said[i - 1][-1] == ":":
        return None
    if not fits(value, strength, led=strength == "number"):
        return None
    begin = at + before.index(value, [m.start() for m in _BLANKLESS.finditer(before)][i - 1 - len(said)])
    return begin, begin + len(value)
