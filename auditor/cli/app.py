"""The program's commands, and how its arguments become a call of one of them.

Modules that cost time (the database, the SDK, the report) are imported inside the commands that need them.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from auditor import __version__
from auditor.cli import commands_ask, commands_list, commands_make
from auditor.cli.diagnostics import say
from auditor.cli.render import emit
from auditor.errors import USAGE

app = typer.Typer(
    name="auditor",
    help="Record MCP traffic, and read who was asked for what, in which call, and what they answered.",
    epilog="stdout is data, stderr is talk. Exit codes: 0 done, 1 a check or the program failed, 2 wrong usage, "
    "3 input not understood, 4 store unavailable, 5 verification failed.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _print_version(asked: bool) -> None:
    if asked:
        emit(f"auditor {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A threshold, as prompt_timeout_s=60 or PRM-001.floor_ms=200 (`auditor rules ID` names a rule's); "
            "the same as the variable AUDITOR_PROMPT_TIMEOUT_S or AUDITOR_PRM_001_FLOOR_MS.",
        ),
    ] = None,
) -> None:
    """Options of the program itself."""
    if given:
        from auditor.cli.thresholds import set_all

        set_all(given)


commands_make.register(app)
commands_list.register(app)
commands_ask.register(app)


def run(argv: Sequence[str]) -> int:
    """Run the command that the arguments name and give its exit code.

    Raises:
        AuditorError: when the command fails in a way that a user can mend.
    """
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    command = typer.main.get_command(app)
    try:
        code = command.main(args=list(argv), prog_name="auditor", standalone_mode=False)
    except typer.TyperException as e:
        return _wrong_usage(e)
    except typer.Abort:
        return USAGE
    except SystemExit as e:  # how the framework says that nobody reads stdout any more
        raise BrokenPipeError from e
    return code if isinstance(code, int) else 0


def _open_what_is_closed() -> None:
    """Point standard streams that are closed at nothing, so that no file of ours takes their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - kept


def _wrong_usage(e: typer.TyperException) -> int:
    message = e.format_message()
    if message.lstrip().startswith("Usage:"):
        sys.stderr.write(message.rstrip() + "\n")
        return USAGE
    context = getattr(e, "ctx", None)
    path = context.command_path if context is not None else "auditor"
    say(f"{message.rstrip('.')}; `{path} --help` shows how it is used")
    return USAGE
