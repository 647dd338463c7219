"""The URLs of url prompts. Secrets were taken out of them before: a mark stands for some text."""

import ipaddress
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit

from auditor.rules.checks.hit import Hit, about, cut, decode, subject

_MARK = re.compile(r"\[REDACTED:([^\]:]*)[^\]]*\]")
_JWT = re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.")
_KEYS = {
    "access_token", "id_token", "refresh_token", "auth_token", "session_token", "sig", "signature", "x-amz-signature",
    "x-goog-signature", "jwt", "api_key", "apikey", "password", "passwd", "bearer",
}  # fmt: skip
_SCRIPTS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "HEBREW", "ARABIC", "THAI", "GEORGIAN", "HANGUL"}


def _split(url: Any) -> SplitResult | None:
    """A URL in parts, None when it is none; a mark becomes a word, for brackets mean IPv6 in a host."""
    if not isinstance(url, str):
        return None
    try:
        parts = urlsplit(_MARK.sub("REDACTED", url.strip()))
        _ = parts.port
    except ValueError:
        return None
    return parts


def usable(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-005: an absolute URL, and in 2025-11-25 an elicitationId."""
    params = decode(row["params"])
    if not isinstance(params, dict):
        return
    url, ident = params.get("url"), params.get("elicitationId")
    parts = _split(url)
    if not isinstance(url, str):
        fault = "has no url"
    elif parts is None or not parts.scheme or not (parts.netloc or parts.path.strip("/")):
        fault = "has a url that is not absolute or cannot be read"
    elif parts.scheme in ("http", "https") and not parts.hostname:
        fault = "has a url without a host"
    elif row["revision"] == "2025-11-25" and row["carriage"] != "url_required" and not isinstance(ident, str):
        fault = "has no elicitationId"
    else:
        return
    yield Hit(subject(row), f"A url prompt {fault}.", {**about(row), "url": cut(url, 200)})


def signed_in(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-019: credentials in the user part, a signature or a token in the query, a JWT anywhere."""
    parts = _split(row["url"])
    if parts is None:
        return
    names = {k.lower() for k, _ in parse_qsl(f"{parts.query}&{parts.fragment}", keep_blank_values=True)} & _KEYS
    if parts.username or parts.password:
        sign = "a user name or password"
    elif names:
        sign = f"the parameter {min(names)}"
    elif _JWT.search(row["url"]) or "jwt" in {kind.lower() for kind in _MARK.findall(row["url"])}:
        sign = "a signed token"
    else:
        return
    yield Hit(
        subject(row), f"The URL of a prompt carries {sign}: whoever has it is signed in.", _evidence(row, sign=sign)
    )


def plain(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-020: http to another machine."""
    parts = _split(row["url"])
    if parts is not None and parts.scheme == "http" and parts.hostname and not _local(parts.hostname):
        yield Hit(subject(row), f"The URL of a prompt leads to {cut(parts.hostname)} over plain http.", _evidence(row))


def host(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-021: punycode, scripts mixed in one label, a bare address."""
    parts = _split(row["url"])
    if parts is None or not parts.hostname or _local(parts.hostname):
        return
    name = parts.hostname
    labels = name.split(".")
    if any(label.startswith("xn--") for label in labels):
        why = f"in punycode ({cut(_shown(name))})"
    elif any(len(_scripts(label)) > 1 for label in labels):
        why = "in mixed scripts"
    elif _address(name) is not None or name.isdigit():
        why = "as a bare address"
    else:
        return
    yield Hit(subject(row), f"The URL of a prompt gives its host {why}.", _evidence(row, host=cut(name, 200)))


def _evidence(row: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {**about(row), "url": cut(row["url"], 300), **more}


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return None


def _local(name: str) -> bool:
    address = _address(name)
    return address.is_loopback if address else name == "localhost" or name.endswith(".localhost")


def _scripts(label: str) -> set[str]:
    """The scripts of a label's letters; those that are written together (Chinese and kana) count as none."""
    found = {unicodedata.name(c, "").partition(" ")[0] for c in label if c.isalpha()}
    return found & _SCRIPTS


def _shown(name: str) -> str:
    """A host in punycode as a person would see it; as it is where it cannot be read."""
    try:
        return ".".join(
            part[4:].encode("ascii").decode("punycode") if part.startswith("xn--") else part for part in name.split(".")
        )
    except (UnicodeError, ValueError):
        return name
