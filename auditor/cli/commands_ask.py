"""Commands that ask: `report`, `query`, `sql`, `rules`."""

from pathlib import Path
from typing import Annotated

import typer

from auditor.cli import options as o
from auditor.cli.render import Format

query = typer.Typer(
    name="query",
    help="The compliance queries: list, show, run.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(short_help="Write the report as one HTML file.")(report)
    app.command(short_help="Run one SQL statement of your own, read-only.")(sql)
    app.command(short_help="What is checked, why, and how to mend it.")(rules)
    query.command("list")(query_list)
    query.command("show")(query_show)
    query.command("run")(query_run)
    app.add_typer(query)


def report(
    db: o.Db = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to write it; else beside the database.")
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Write the report: one HTML file that stands alone, with outcomes, times, findings and the list of prompts."""
    from auditor.cli.reporting import write_report

    write_report(o.database(db), output, open_it)


def sql(
    statement: Annotated[str, typer.Argument(metavar="SQL", help="One statement that only reads.")],
    db: o.Db = None,
    form: o.Form = Format.table,
) -> None:
    """Run one SQL statement of your own, read-only; `SHOW TABLES` and `DESCRIBE elicitations` say what there is."""
    from auditor.cli.ask import run_sql

    run_sql(o.database(db), statement, form)


def rules(
    rule: Annotated[str | None, typer.Argument(metavar="[ID]", help="Everything about this rule.")] = None,
    form: o.Form = Format.table,
) -> None:
    """List what is checked, or say of one rule why it matters and how to mend what it finds."""
    from auditor.cli.rulebook import print_rules

    print_rules(rule, form)


def query_list(form: o.Form = Format.table) -> None:
    """List the queries and what each answers."""
    from auditor.cli.ask import list_queries

    list_queries(form)


def query_show(name: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Print a query's SQL with its header."""
    from auditor.cli.ask import show_query

    show_query(name)


def query_run(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    param: Annotated[
        list[str] | None, typer.Option("--param", metavar="K=V", help="A parameter; give it once for each.")
    ] = None,
    db: o.Db = None,
    form: o.Form = Format.table,
) -> None:
    """Run a query."""
    from auditor.cli.ask import run_query

    run_query(o.database(db), name, param or [], form)
