"""Headers on their way through the proxy.

Everything passes as it is but for: what belongs to one connection (RFC 9110, 7.6.1); `Host` and an `Origin` of the
tap's own, which become the upstream's, so that its check against DNS rebinding passes; codings of the body that the
recorder could not read, which are not offered to the upstream; absolute URLs of the upstream in `Location` and
`WWW-Authenticate`, which become the tap's.
"""

from collections.abc import Iterable
from functools import lru_cache

from multidict import CIMultiDict

from auditor.capture.http.traffic import KEPT_HEADERS

RawHeaders = Iterable[tuple[bytes, bytes]]
Headers = list[tuple[str, str, str]]
"""Name, name in lower case, value."""

_HOP = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
})  # fmt: skip
_READABLE = frozenset({"gzip", "x-gzip", "deflate", "identity"})
_NAMING_UPSTREAM = frozenset({"location", "www-authenticate", "link", "content-location"})


def text_headers(raw: RawHeaders) -> Headers:
    """Names and values as text; bytes that are no UTF-8 are read as Latin-1, as aiohttp writes nothing else."""
    try:
        return [(*_name(k), v.decode()) for k, v in raw]
    except UnicodeDecodeError:
        return [(k.decode("latin-1"), k.decode("latin-1").lower(), v.decode("latin-1")) for k, v in raw]


@lru_cache(1024)
def _name(raw: bytes) -> tuple[str, str]:
    name = raw.decode()
    return name, name.lower()


def kept(headers: Headers) -> dict[str, str]:
    """What a record uses of them; of a repeated header the first."""
    found: dict[str, str] = {}
    for _, low, value in headers:
        if low in KEPT_HEADERS and low not in found:
            found[low] = value
    return found


def _dropped(headers: Headers) -> frozenset[str]:
    named = [v for _, low, v in headers if low == "connection"]
    return _HOP.union(t.strip().lower() for v in named for t in v.split(",")) if named else _HOP


def to_upstream(
    headers: Headers, *, upstream_host: str, upstream_origin: str, own_origin: str, plain: bool
) -> CIMultiDict[str]:
    """A request's headers for the upstream; `plain` asks for a body without any coding."""
    out: list[tuple[str, str]] = []
    dropped, offered = _dropped(headers), False
    for name, low, value in headers:
        if low in dropped or low == "expect":
            continue
        if low == "host":
            value = upstream_host
        elif low == "origin" and value == own_origin:
            value = upstream_origin
        elif low == "referer" and value.startswith(own_origin + "/"):
            value = upstream_origin + value[len(own_origin) :]
        elif low == "accept-encoding":
            value, offered = "identity" if plain else _readable(value), True
        out.append((name, value))
    if plain and not offered:
        out.append(("Accept-Encoding", "identity"))
    return CIMultiDict(out)


def _readable(offered: str) -> str:
    codings = [part.strip() for part in offered.split(",")]
    left = [c for c in codings if c.split(";")[0].strip().lower() in _READABLE]
    return ", ".join(left) or "identity"


def to_client(headers: Headers, *, upstream_origins: Iterable[str], own_origin: str) -> list[tuple[str, str]]:
    """A response's headers for the client."""
    dropped = _dropped(headers)
    return [
        (name, rename(value, upstream_origins, own_origin) if low in _NAMING_UPSTREAM else value)
        for name, low, value in headers
        if low not in dropped
    ]


def rename(text: str, upstream_origins: Iterable[str], own_origin: str) -> str:
    """Put the tap's origin where the upstream's stands (as a whole: not where it goes on with a digit or a letter)."""
    for origin in upstream_origins:
        at = text.find(origin)
        while at >= 0:
            after = at + len(origin)
            if after == len(text) or not (text[after].isalnum() or text[after] in ".-:@_"):
                text, after = text[:at] + own_origin + text[after:], at + len(own_origin)
            at = text.find(origin, after)
    return text
