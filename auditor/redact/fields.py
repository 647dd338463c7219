"""What secret a form field asks for: by its name, its title, its description, or the message of a form of one field."""

import re
from functools import lru_cache

from auditor.redact.keys import classify, words
from auditor.redact.lists import questions


def _any(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_KINDS = {kind: _any(patterns) for kind, patterns in questions()["kinds"].items()}
_ABOUT, _ASKS = (_any(questions()["words"][k]) for k in ("about", "asks"))
_BY_NAME = {"strong": "password", "token": "token", "number": "code"}


@lru_cache(maxsize=16384)
def sensitive_kind(
    name: str, title: str | None, description: str | None, message: str | None, format: str | None
) -> str | None:
    """The kind of secret that a field asks for (password, api-key, token, otp, payment, seed, id, code), None for none.

    `message` is the form's, and counts only where the field itself says nothing (give it for forms of one field).
    """
    said = classify(name)
    if said is not None:
        spoken = " ".join(words(name)) if name.isascii() else name
        return _kind_of(spoken) or _BY_NAME[said]
    if format == "password":
        return "password"
    if _says_otherwise(name):
        return None
    for text in (title, description):
        if text and not _ABOUT.search(text) and (found := _kind_of(text)):
            return found
    if message and not title and not description and _asks(message):
        return _kind_of(message)
    return None


def _kind_of(text: str) -> str | None:
    for kind, pattern in _KINDS.items():
        if pattern.search(text):
            return str(kind)
    return None


def _says_otherwise(name: str) -> bool:
    """Whether a name speaks of secrets without asking for one: a policy, a count, a location."""
    parts = words(name)
    return len(parts) > 1 and any(p in ("password", "token", "secret", "pin", "key", "otp", "card") for p in parts[:-1])


def _asks(message: str) -> bool:
    return bool(_ASKS.search(message)) and not _ABOUT.search(message)
