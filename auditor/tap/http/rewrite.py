"""What must not pass as it is, so that a client that only knows the tap stays on it and can log in.

Two things name the upstream by an absolute URL inside a body: the `endpoint` event of the old HTTP+SSE transport, and
OAuth metadata (RFC 9728, RFC 8414). There the upstream's origin becomes the tap's. The other way, the tap's origin
becomes the upstream's in what an OAuth client sends to an authorization server that is the upstream itself.
"""

import re
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from auditor.tap.http.headers import rename

MAX_METADATA_BYTES = 1 << 20
"""Metadata and forms above this size pass as they are; real ones have a few KiB."""
_METADATA = tuple(
    f"/.well-known/{name}"
    for name in ("oauth-protected-resource", "oauth-authorization-server", "openid-configuration")
)
_RESOURCE_METADATA = re.compile(r'resource_metadata="?(https?://[^"\s,]+)')
_MAX_FIRST_EVENT = 16 * 1024
_ENDPOINT = (b"event: endpoint", b"event:endpoint")


def is_metadata(path: str) -> bool:
    """Whether OAuth metadata is served at this path (some servers append the well-known part to their own path)."""
    return any(known in path for known in _METADATA)


def named_metadata(challenge: str) -> str | None:
    """The path of the `resource_metadata` that a `WWW-Authenticate` names."""
    named = _RESOURCE_METADATA.search(challenge)
    return urlsplit(named[1]).path if named else None


def rename_text(text: str, origins: Sequence[str], to: str) -> str:
    """Rename origins, plain and percent-encoded."""
    text = rename(text, origins, to)
    return rename(text, [quote(o, safe="") for o in origins], quote(to, safe=""))


def rename_bytes(data: bytes, origins: Sequence[str], to: str) -> bytes:
    """Rename origins in a body: plain, percent-encoded, and with the slashes that JSON may escape."""
    text = rename_text(data.decode("latin-1"), origins, to)
    return rename(text, [o.replace("/", "\\/") for o in origins], to.replace("/", "\\/")).encode("latin-1")


class EndpointRewriter:
    """Renames the upstream in the first event of an SSE stream, if that is `endpoint`; everything else passes at once.

    A byte is held back only as long as what came first may still be an `endpoint` event that is not complete.
    """

    def __init__(self, origins: Sequence[str], to: str) -> None:
        self._origins, self._to = origins, to
        self._held = b""
        self._done = False

    def feed(self, chunk: bytes) -> bytes:
        """Take what came; give what may pass."""
        if self._done:
            return chunk
        self._held += chunk
        start = self._held.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
        while start.startswith(b":") and b"\n" in start:
            start = start.partition(b"\n")[2].lstrip(b"\r\n")
        ended = b"\n\n" in start or b"\r\n\r\n" in start or b"\r\r" in start
        maybe = any(start[: len(e)] == e[: len(start)] for e in _ENDPOINT)
        if maybe and not ended and len(self._held) < _MAX_FIRST_EVENT:
            return b""
        return self.flush(rewrite=maybe)

    def flush(self, *, rewrite: bool = False) -> bytes:
        """Give what is held back; the stream has ended or shown what it is."""
        held, self._held, self._done = self._held, b"", True
        return rename_bytes(held, self._origins, self._to) if rewrite else held
