"""The options of `auditor record` with their help, and reading any of them."""

import argparse
from pathlib import Path
from typing import Any

from auditor.errors import UsageError
from auditor.tap.options import USAGE, Options, megabytes
from auditor.tap.spool import DEFAULT_CAP_BYTES


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"{message}; use: {USAGE}")


def parser() -> argparse.ArgumentParser:
    """The options of `auditor record`."""
    p = _Parser(
        prog="auditor record",
        usage=USAGE,
        description="Record the traffic of an MCP server. Wraps a command that speaks on its standard streams, or"
        " stands in front of an HTTP server. Bytes pass untouched; secrets are taken out before anything is stored.",
        allow_abbrev=False,
    )
    p.add_argument("--db", type=Path, metavar="P", help="the database; its journals lie beside it ($AUDITOR_DB)")
    p.add_argument("--name", metavar="N", help="what to call the server in the record")
    loss = p.add_mutually_exclusive_group()
    loss.add_argument("--lossless", action="store_true", help="let traffic wait rather than leave anything out")
    loss.add_argument("--strict", action="store_true", help="end the session (exit 4) when it cannot be recorded")
    p.add_argument(
        "--spool-cap", type=_megabytes, default=DEFAULT_CAP_BYTES, metavar="MB",
        help="memory for what is not yet written, in MB (default 256)",
    )  # fmt: skip
    http = p.add_argument_group("in front of an HTTP server")
    http.add_argument("--upstream", metavar="URL", help="the server's endpoint")
    http.add_argument("--listen", metavar="HOST:PORT", help="where to listen (default: a free port of this machine)")
    http.add_argument("--allow-remote", action="store_true", help="listen on an address that is not this machine's own")
    http.add_argument("--ca-file", type=Path, metavar="F", help="trust the certificates in this file")
    http.add_argument("--insecure", action="store_true", help="do not check the upstream's certificate; it is recorded")
    http.add_argument("--tls-cert", type=Path, metavar="F", help="certificate to listen with")
    http.add_argument("--tls-key", type=Path, metavar="F", help="its key")
    p.add_argument("command", nargs="*", metavar="CMD", help="the server's command, behind --")
    return p


def full(own: list[str], command: list[str]) -> Options:
    """Read any options; ends with the help when that is asked for.

    Raises:
        UsageError: when they cannot be followed.
    """
    given = parser().parse_args(own)
    if given.command and not command:
        raise UsageError(f"put -- before the server's command: auditor record -- {' '.join(given.command)}")
    if not command:
        raise UsageError(f"there is no command to record; use: {USAGE}")
    options = Options()
    options.db = str(given.db) if given.db else None
    options.name, options.lossless, options.strict = given.name, given.lossless, given.strict
    options.cap_bytes = given.spool_cap
    return options


def _megabytes(text: str) -> int:
    try:
        return megabytes(text)
    except ValueError as e:
        raise argparse.ArgumentTypeError(str(e)) from None
