"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli.render import Format
from auditor.files import default_db

Db = Annotated[
    Path | None,
    typer.Option("--db", metavar="FILE", help="The database; else $AUDITOR_DB, else audit.duckdb in your data folder."),
]
Form = Annotated[Format, typer.Option("--format", help="How to print it.")]
Session = Annotated[
    str | None,
    typer.Option("--session", metavar="ID", help="Only this session: an id, the beginning of one, or `last`."),
]
Server = Annotated[
    str | None,
    typer.Option(
        "--server", metavar="NAME", help="Only this server: its own name or its --name (`*` for any letters)."
    ),
]
Client = Annotated[str | None, typer.Option("--client", metavar="NAME", help="Only this client (`*` for any letters).")]
Tool = Annotated[str | None, typer.Option("--tool", metavar="NAME", help="Only this tool (`*` for any letters).")]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="TIME", help="From this time on: ISO 8601 in UTC, or how long ago, as 90m or 7d."),
]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="Before this time, given in the same way.")]
Outcome = Annotated[
    str | None, typer.Option("--outcome", metavar="WORDS", help="Only these outcomes, with commas between them.")
]
Tier = Annotated[
    str | None,
    typer.Option("--tier", metavar="WORDS", help="Only these: explicit, deduced, inferred, ambiguous, none."),
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", metavar="N", min=0, max=10**9, help="At most so many rows, the latest."),
]


def database(db: Path | None) -> Path:
    """The database that the user means."""
    return db if db is not None else default_db()
