"""What the name of a key, a header, a variable or a field says of its value.

Rules. A name is cut into words at case, digits and punctuation. It names a secret when its last words do, unless a word
around them makes it something about secrets (a policy, a count, a path) or a token of the protocol (a cursor).
"""

import re
from functools import lru_cache
from typing import Literal, cast

from auditor.redact.lists import names

Strength = Literal["strong", "token", "number", "made"]
"""strong: any value is a secret. token: a value that looks like one. made: one that is plainly made by a machine.
number: a code or number that can be guessed."""

_CUT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")

_LISTS = names()
_STRONG, _TOKEN, _NUMBER = (frozenset(_LISTS[k].split()) for k in ("strong", "token", "number"))
_PHRASES: dict[tuple[str, ...], Strength] = {
    tuple(phrase.split()): cast(Strength, strength)
    for strength, listed in _LISTS["phrases"].items()
    for phrase in listed
}
_ABOUT, _BEFORE, _MCP, _TRAILING = (
    frozenset(_LISTS["not"][k].split()) for k in ("about", "before", "protocol", "trailing")
)
_HEADS = frozenset(_LISTS["heads"]["first"].split())
_HEADS_ABOUT = _ABOUT | _BEFORE | frozenset(_LISTS["heads"]["about"].split())
_ACCENTS = "áàâãäéèêëíìîïóòôõöúùûüçñışğśłćżźęąńåøěăžščýůďťňřőűșț"
_PLAIN = "aaaaaeeeeiiiiooooouuuucnisgslczzeanaoeazscyudtnroust"
_FOLD = str.maketrans({
    **dict(zip(_ACCENTS, _PLAIN, strict=True)),
    **{a.upper(): p.upper() for a, p in zip(_ACCENTS, _PLAIN, strict=True) if a != "ı"}, "İ": "I", "ß": "s",
})  # fmt: skip


def words(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case.

    >>> words("X-Api-Key"), words("dbPassword"), words("AWS_SECRET_ACCESS_KEY")
    (('x', 'api', 'key'), ('db', 'password'), ('aws', 'secret', 'access', 'key'))
    """
    return tuple(w.lower() for w in _CUT.findall(name.translate(_FOLD)))


@lru_cache(maxsize=16384)
def classify(name: str) -> Strength | None:
    """Whether a value under this name is a secret, and how sure the name is of it."""
    if len(name) > 128 or not name:
        return None
    if not name.isascii() and (found := _foreign(name)):
        return None if found == "about" else found  # type: ignore[return-value]
    parts = words(name)
    joined = "".join(parts)
    if joined in _MCP or not parts:
        return None
    while len(parts) > 1 and (parts[-1].isdigit() or parts[-1] in _TRAILING):
        parts = parts[:-1]
    if parts[-1] in _ABOUT and parts[-2:] not in _PHRASES and parts[-3:] not in _PHRASES:
        return None
    return _by_phrase(parts) or _by_word(parts) or _by_head(parts)


def _by_head(parts: tuple[str, ...]) -> Strength | None:
    """`senha_banco`: where the head comes first, and nothing after it makes it something about a secret."""
    heads = parts[:1] if parts[0] in _HEADS else parts[:3] if parts[:3] == ("mot", "de", "passe") else ()
    rest = parts[len(heads) :]
    return "token" if heads and rest and _HEADS_ABOUT.isdisjoint(rest) else None


def _by_phrase(parts: tuple[str, ...]) -> Strength | None:
    for n in (4, 3, 2, 1):
        if len(parts) >= n and (found := _PHRASES.get(parts[-n:])):
            before = parts[-n - 1] if len(parts) > n else ""
            return None if before in ("public", "no", "has", "requires", "needs", "missing") else found
    return None


def _by_word(parts: tuple[str, ...]) -> Strength | None:
    last = parts[-1]
    before = parts[-2] if len(parts) > 1 else ""
    if before in _BEFORE and not (before in ("reset", "start", "cancel") and last in ("token", "code")):
        return None
    if "public" in parts:
        return None
    if last in _STRONG or last.endswith(_ENDINGS):
        return "strong"
    if last in _NUMBER:
        return "number"
    if (
        last in _TOKEN
        or (last == "key" and parts[0] == "x")
        or last.endswith(("token", "apikey", "accesskey", "secretkey", "privatekey", "authkey"))
    ):
        return "token"
    return None


def _plain(name: str) -> str:
    return _PUNCTUATION.sub("", name.lower())


def _foreign(name: str) -> str | None:
    plain = _plain(name)
    if plain.endswith(_FOREIGN_ABOUT) or plain.startswith(_FOREIGN_BEFORE):
        return "about"
    found = None
    for word, strength in _FOREIGN:
        if word in plain and (len(word) > 3 or word[0] >= "\u0e00" or plain.startswith(word)):
            rest = plain.rsplit(word, 1)[1]
            if len(rest) <= 3 or rest.isdigit():
                return str(strength)
            found = "about"
    return found


_ENDINGS = ("password", "passwd", "passphrase", "passwort", "secret", "kennwort", "wachtwoord")
_PUNCTUATION = re.compile(r"[\W_]+")
_FOREIGN = tuple((_plain(word), strength) for strength, listed in _LISTS["anywhere"].items() for word in listed.split())
_FOREIGN_ABOUT = tuple(_plain(w) for w in _ABOUT if not w.isascii())
_FOREIGN_BEFORE = tuple(_plain(w) for w in _LISTS["not"]["foreign_before"].split())


@lru_cache(maxsize=16384)
def holds(name: str) -> bool:
    """Whether a name under the name of many secrets can be that of one: `{"tokens": {"prod": …}}`."""
    parts = words(name)
    return not parts or (parts[-1] not in _ABOUT and "".join(parts) not in _MCP and parts[-1] not in _HASHES)


_HASHES = frozenset(_LISTS["not"]["hashes"].split())


def found_by() -> list[str]:
    """The words by which a name may be found in running text, in lower case: short ones with a sign behind them."""
    listed = {w.replace("␣", " ") for w in _LISTS["text"]["found_by"].split()}
    for word in _STRONG | _TOKEN | _NUMBER:
        listed.add(word if len(word) >= 5 else word + "=")
    for phrase in _PHRASES:
        if not (phrase[-1] in _STRONG or phrase[-1] in _TOKEN):
            listed |= {sign.join(phrase) for sign in (" ", "_", "-", "")}
    for words_ in _LISTS["anywhere"].values():
        listed |= {w for w in words_.split() if len(w) > 3 or (len(w) > 1 and w[0] >= "\u0e00")}
    listed |= {word + "=" for word in _LISTS["text"]["in_url"].split()}
    listed |= {phrase.replace("␣", " ") for phrase in _LISTS["text"]["phrases"].split()}
    return sorted(listed)
