"""Tokens whose beginning says what they are, whoever's they are: `sk-…`, `acme_pat_…`, `widget_api_key_…`.

Rules. What stands before the last sign has to name a secret, as the name of a key would; what stands behind it has to
be plainly made by a machine.
"""

import re

from auditor.redact.keys import classify
from auditor.redact.spans import Finder, Span
from auditor.redact.values import PUBLIC, made, scrambled

_BODY = re.compile(r"[A-Za-z0-9_-]{20,400}", re.ASCII)
_PIECE = re.compile(r"[A-Za-z0-9]{9,}", re.ASCII)
_HEAD = 48  # characters of the beginning that are looked at
_SHORT = ("sk", "ak", "pat", "rk", "sat", "oat", "pak")
_MODES = ("live", "prod", "test", "sandbox")
_SHOWN = (
    "pk",
    "pub",
    "public",
    "publishable",
    "cs",
    "ca",
    "acct",
    "ek",
)  # may be shown to anybody, or have a kind of their own
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_BY = (
    "live_", "prod_", "test_", "sandbox_", "ak_", "sk-", "sk_", "pat_", "pat-", "rk_", "sat_", "oat_", "pak_",
    "token_", "secret_", "apikey_", "api_key_", "api-key-", "access_key_", "secret_key_",
)  # fmt: skip


def _prefixed(text: str, start: int, end: int) -> list[Span] | None:
    body = _BODY.match(text, end)
    if body is None or text[start - 1 : start] in (".", "/", "$"):
        return None
    first = start
    while first and start - first < _HEAD and (text[first - 1].isalnum() or text[first - 1] in "_-"):
        first -= 1
    name = text[first : end - 1]
    parts = re.split("[_-]", name.lower())
    token = body[0].rstrip("_-")
    if parts[-1] in _MODES:
        telling = parts[0] not in _SHOWN and _PIECE.fullmatch(token) is not None and len(token) >= 24
    else:
        telling = parts[-1] in _SHORT or classify(name) is not None
    if not telling or not _secret(token) or name + "_" + token in PUBLIC:
        return None
    return [Span(first, body.start() + len(token), "token")]


def _secret(body: str) -> bool:
    if _UUID.fullmatch(body):
        return True
    longest = max(_PIECE.findall(body), key=len, default="")
    if len(longest) < 9 or len(set(body)) < 10 or "xxxx" in body.lower():
        return False
    return (made(body) and sum(map(str.isdigit, longest)) >= 2) or (len(longest) >= 18 and scrambled(longest))


PREFIXED: tuple[tuple[str, Finder], ...] = tuple((by, _prefixed) for by in _BY)
