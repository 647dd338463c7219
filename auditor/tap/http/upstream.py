"""The server behind the tap: where it is, and how it is reached."""

import ssl
import sys
import types
from collections.abc import Coroutine, Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec

from auditor.errors import UsageError
from auditor.tap.http.server import MAX_HEAD_BYTES

CONNECT_TIMEOUT_S = 30.0
_IDLE_S = 3.0  # below the 5 s of uvicorn and Node: a connection that the server is about to close is not used again
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Upstream(msgspec.Struct, frozen=True):
    """`origin` is scheme, host and port as browsers write them; `path` and `query` those of the endpoint."""

    origin: str
    host: str
    path: str
    query: str

    def origins(self) -> tuple[str, ...]:
        """All ways to write the origin, longest first."""
        scheme = self.origin.split(":")[0]
        explicit = f"{self.origin}:{_DEFAULT_PORTS[scheme]}"
        return (explicit, self.origin) if self.host.count(":") == self.host.count("]:") == 0 else (self.origin,)


def parse_upstream(url: str) -> Upstream:
    """Read `--upstream`.

    Raises:
        UsageError: when it is no http(s) URL, or holds a user name and password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as e:
        raise UsageError(f"--upstream is no URL: {e}") from None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise UsageError(f"--upstream must be an http:// or https:// URL, not {parts.scheme or 'a bare'} address")
    if parts.username is not None or parts.password is not None:
        raise UsageError("--upstream holds a user name or password; let the client send them in a header instead")
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    host = name if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{name}:{port}"
    return Upstream(f"{parts.scheme}://{host}", host, parts.path or "/", parts.query)


def tls_context(ca_file: Path | None, insecure: bool) -> ssl.SSLContext:
    """How the upstream's certificate is checked: by the system's trust store, and `ca_file` where given.

    Raises:
        UsageError: when `ca_file` cannot be used.
    """
    context = ssl.create_default_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file)
        except (OSError, ssl.SSLError) as e:
            raise UsageError(f"--ca-file {ca_file} cannot be used: {e.strerror or e}; it must hold PEM text") from None
    if insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


class _AtOnce(aiohttp.ClientRequest):
    """A request whose body goes out with its head: aiohttp has a task write it later, before Python 3.12."""

    def write_bytes(self, *args: Any, **options: Any) -> Coroutine[Any, Any, None]:
        """Write what can be written without waiting; give what is left to do."""
        writing = super().write_bytes(*args, **options)
        if not isinstance(self._body, aiohttp.BytesPayload):
            return writing
        try:
            waits_for = writing.send(None)
        except StopIteration:
            return _nothing()
        return _go_on(writing, waits_for)


async def _nothing() -> None:
    pass


@types.coroutine
def _go_on(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """The rest of a coroutine that waits for something already."""
    while True:
        try:
            try:
                got = yield waits_for
            except BaseException as e:  # noqa: BLE001 - cancellation, too, goes where the waiting is
                waits_for = begun.throw(e)
            else:
                waits_for = begun.send(got)
        except StopIteration:
            return


def open_session(context: ssl.SSLContext) -> aiohttp.ClientSession:
    """A client that adds nothing, unpacks nothing, follows nothing, keeps no cookie, and waits as long as it takes."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S, ssl=context, force_close=False),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT_S),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
        max_line_size=MAX_HEAD_BYTES,
        max_field_size=MAX_HEAD_BYTES,
        read_bufsize=256 * 1024,
        request_class=_AtOnce if sys.version_info < (3, 12) else aiohttp.ClientRequest,
    )
