"""`auditor record`: what follows the word, understood without a framework, so that the first answer comes soon."""

import argparse
from pathlib import Path
from typing import Any

from auditor.errors import UsageError
from auditor.files import default_db
from auditor.tap.spool import DEFAULT_CAP_BYTES

_MEGABYTE = 1 << 20
_USAGE = "auditor record [--db P] [--name N] [--lossless|--strict] -- CMD ARGS…, or … --upstream URL --listen HOST:PORT"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"{message}; use: {_USAGE}")


def parser() -> argparse.ArgumentParser:
    """The options of `auditor record`."""
    p = _Parser(
        prog="auditor record",
        usage=_USAGE,
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


def _megabytes(text: str) -> int:
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of megabytes") from None
    if not 1 <= number <= 1 << 20:
        raise argparse.ArgumentTypeError(f"{text} MB is not between 1 and 1048576")
    return int(number * _MEGABYTE)


def record_main(argv: list[str]) -> int:
    """Record one session; `argv` is what follows `record`. Gives the exit code.

    Raises:
        UsageError: when the options cannot be followed; nothing was started then.
    """
    own, command = _split(argv)
    if any(word.split("=")[0] == "--upstream" for word in own):
        from auditor.tap.http.command import http_main

        return http_main(argv)
    options = parser().parse_args(own)
    if options.command and not command:
        raise UsageError(f"put -- before the server's command: auditor record -- {' '.join(options.command)}")
    if not command:
        raise UsageError(f"there is no command to record; use: {_USAGE}")
    from auditor.tap.launch import Launch, check_policy
    from auditor.tap.session import hold_standard_descriptors, run

    check_policy()
    hold_standard_descriptors()
    launch = Launch(
        options.db or default_db(), {"transport": "stdio", "name": options.name, "cmd": command}, "stdio",
        cap_bytes=options.spool_cap, wait=options.lossless, strict=options.strict,
    )  # fmt: skip
    return run(command, launch, strict=options.strict)


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    if "--" in argv:
        at = argv.index("--")
        return argv[:at], argv[at + 1 :]
    return argv, []
