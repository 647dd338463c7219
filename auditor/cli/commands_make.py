"""Commands that make something: `record`, `demo`, `import`, `redact`, `seen`."""

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli import options as o
from auditor.cli.render import Format


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    settings = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    app.command(short_help="Run an MCP server and record what passes.", context_settings=settings)(record)
    app.command(short_help="The whole thing on a bundled server and client.")(demo)
    app.command("import", short_help="Read recordings made elsewhere.")(import_)
    app.command(short_help="Take the secrets out of stdin.")(redact)
    app.command(short_help="Was this value seen? It comes from stdin.")(seen)


def record(context: typer.Context) -> None:
    """Run an MCP server and write down what passes: `auditor record -- COMMAND ARGS…`; or stand before a remote one."""
    from auditor.tap.command import record_main

    raise typer.Exit(record_main(context.args))


def demo(
    folder: Annotated[
        Path, typer.Option("--folder", metavar="DIR", help="Where the record and the report of the demo go.")
    ] = Path("demo"),
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the path of the report and nothing else.")] = False,
) -> None:
    """Run a bundled server and client through the recorder, print what was seen, and end with a report."""
    from auditor.cli.demonstration import run_demo

    run_demo(folder, quiet=quiet)


def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Recordings of MCP traffic.")],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="What the files are (trace, journal, jsonrpc, claude, vscode, har); found by looking when not given.",
        ),
    ] = None,
    db: o.Db = None,
) -> None:
    """Read recordings made elsewhere into the record; secrets are taken out as in recording."""
    from auditor.cli.importing import import_files

    import_files(o.database(db), files, form)


def redact(
    explain: Annotated[
        bool, typer.Option("--explain", help="Say on stderr what was taken out, where, and why.")
    ] = False,
    db: o.Db = None,
) -> None:
    """Take the secrets out of NDJSON or text on stdin, as recording does, and print the rest."""
    from auditor.cli.filtering import redact_stdin

    redact_stdin(o.database(db), explain=explain)


def seen(
    rotate_key: Annotated[
        bool,
        typer.Option("--rotate-key", help="Put a new fingerprint key in force instead; old ones stay for looking up."),
    ] = False,
    db: o.Db = None,
    form: o.Form = Format.table,
) -> None:
    """Say whether a value was taken out as a secret, and where; it is read from stdin or a prompt, and not stored."""
    from auditor.cli.lookup import rotate_key as rotate
    from auditor.cli.lookup import seen_value

    if rotate_key:
        rotate(o.database(db))
    else:
        seen_value(o.database(db), form)
