"""The options of `auditor record --upstream`."""

import ipaddress
import ssl
from collections.abc import Sequence
from pathlib import Path

import msgspec

from auditor.errors import UsageError
from auditor.files import default_db
from auditor.tap.parser import parser
from auditor.tap.spool import DEFAULT_CAP_BYTES


class HttpOptions(msgspec.Struct, frozen=True):
    """What `auditor record --upstream` was told."""

    upstream: str
    host: str
    port: int
    db: Path
    name: str | None = None
    lossless: bool = False
    strict: bool = False
    ca_file: Path | None = None
    insecure: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None
    allow_remote: bool = False
    spool_cap: int = DEFAULT_CAP_BYTES

    def listening_context(self) -> ssl.SSLContext | None:
        """How the tap itself speaks TLS; None when it does not.

        Raises:
            UsageError: when certificate or key cannot be used.
        """
        if self.tls_cert is None:
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(self.tls_cert, self.tls_key)
        except (OSError, ssl.SSLError) as e:
            raise UsageError(
                f"--tls-cert and --tls-key cannot be used: {e.strerror or e}; both are PEM files"
            ) from None
        return context


def parse_options(argv: Sequence[str]) -> HttpOptions:
    """Read the arguments behind `auditor record`.

    Raises:
        UsageError: when they cannot be followed.
    """
    given = parser().parse_args(list(argv))
    if given.command:
        raise UsageError("--upstream stands in front of a server that runs: leave the command out")
    if given.tls_key and not given.tls_cert:
        raise UsageError("--tls-key needs --tls-cert")
    host, port = _listen(given.listen or "127.0.0.1:0")
    if not given.allow_remote and not is_loopback(host):
        raise UsageError(f"--listen {given.listen} can be reached from other machines; say --allow-remote to mean it")
    return HttpOptions(
        upstream=given.upstream, host=host, port=port, db=given.db or default_db(), name=given.name,
        lossless=given.lossless, strict=given.strict, ca_file=given.ca_file, insecure=given.insecure,
        tls_cert=given.tls_cert, tls_key=given.tls_key, allow_remote=given.allow_remote,
        spool_cap=given.spool_cap,
    )  # fmt: skip


def _listen(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"--listen {text} is not HOST:PORT, such as 127.0.0.1:8080")
    return host, int(port)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
