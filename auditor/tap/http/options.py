"""The options of `auditor record --upstream`."""

import argparse
import ipaddress
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import msgspec

from auditor.errors import UsageError
from auditor.files import default_db
from auditor.tap.spool import DEFAULT_CAP_BYTES

DEFAULT_LISTEN = "127.0.0.1:7411"


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
    max_spool_bytes: int = DEFAULT_CAP_BYTES

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


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; `auditor record --help` shows how it is used")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="auditor record", add_help=False, allow_abbrev=False)
    add = parser.add_argument
    add("--upstream", metavar="URL", required=True, help="The MCP endpoint of the server, such as https://host/mcp.")
    add("--listen", metavar="HOST:PORT", default=DEFAULT_LISTEN, help=f"Where clients connect ({DEFAULT_LISTEN}).")
    add("--db", metavar="PATH", type=Path, help="The database to record for.")
    add("--name", metavar="TEXT", help="A name for the server, shown in listings.")
    add("--lossless", action="store_true", help="Wait rather than leave anything out of the record.")
    add("--strict", action="store_true", help="End when the traffic cannot be recorded.")
    add("--ca-file", metavar="FILE", type=Path, help="Certificates to trust beside the system's (PEM).")
    add("--insecure", action="store_true", help="Do not check the server's certificate; the record says so.")
    add("--tls-cert", metavar="FILE", type=Path, help="Certificate for clients to see (PEM).")
    add("--tls-key", metavar="FILE", type=Path, help="Its private key, when it is not in the same file.")
    add("--allow-remote", action="store_true", help="Listen on an address that other machines can reach.")
    add("--max-spool-mb", metavar="MB", type=int, default=DEFAULT_CAP_BYTES >> 20, help=argparse.SUPPRESS)
    return parser


def parse_options(argv: Sequence[str]) -> HttpOptions:
    """Read the arguments behind `auditor record`.

    Raises:
        UsageError: when they cannot be followed.
    """
    given = _parser().parse_args(list(argv))
    if given.lossless and given.strict:
        raise UsageError("--lossless waits and --strict ends: give one of them")
    if given.tls_key and not given.tls_cert:
        raise UsageError("--tls-key needs --tls-cert")
    host, port = _listen(given.listen)
    if not given.allow_remote and not is_loopback(host):
        raise UsageError(f"--listen {given.listen} can be reached from other machines; say --allow-remote to mean it")
    return HttpOptions(
        upstream=given.upstream, host=host, port=port, db=given.db or default_db(), name=given.name,
        lossless=given.lossless, strict=given.strict, ca_file=given.ca_file, insecure=given.insecure,
        tls_cert=given.tls_cert, tls_key=given.tls_key, allow_remote=given.allow_remote,
        max_spool_bytes=given.max_spool_mb << 20,
    )  # fmt: skip


def _listen(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"--listen {text} is not HOST:PORT, such as {DEFAULT_LISTEN}")
    return host, int(port)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
