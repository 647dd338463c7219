"""The listings as commands: `sessions`, `calls`, `elicitations`, `orphans`, `findings`, `stats`, `show`."""

from enum import StrEnum
from typing import Annotated

import typer

from auditor.cli import options as o
from auditor.cli.filters import CALL_OUTCOMES, ENDS, ORPHAN_KINDS, PROMPT_OUTCOMES, Filters, known
from auditor.cli.render import Format


class Kind(StrEnum):
    """Kinds of prompts."""

    elicitation = "elicitation"
    sampling = "sampling"
    roots = "roots"
    all = "all"


class ShowAs(StrEnum):
    """How a session is drawn."""

    tree = "tree"
    mermaid = "mermaid"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(short_help="The recorded sessions.")(sessions)
    app.command(short_help="The calls, with their legs, outcomes and times.")(calls)
    app.command(short_help="The prompts, their answers, and their calls.")(elicitations)
    app.command(short_help="What was left hanging.")(orphans)
    app.command(short_help="What the rules found.")(findings)
    app.command(short_help="Rates of accept, decline, cancel, timeout.")(stats)
    app.command(short_help="One session as a tree, a diagram, or JSON.")(show)


def sessions(
    db: o.Db = None,
    form: o.Form = Format.table,
    session: o.Session = None,
    server: o.Server = None,
    client: o.Client = None,
    since: o.Since = None,
    until: o.Until = None,
    outcome: Annotated[
        str | None,
        typer.Option("--outcome", metavar="WORDS", help=f"Only these ends: {', '.join(ENDS)}."),
    ] = None,
    limit: o.Limit = None,
) -> None:
    """List the recorded sessions: who talked to whom, when, and how it ended."""
    from auditor.cli.listing import SESSIONS, print_listing

    filters = Filters(
        session=session, server=server, client=client, since=since, until=until,
        outcome=known(outcome, ENDS, "--outcome"), limit=limit,
    )  # fmt: skip
    print_listing(SESSIONS, o.database(db), form, filters)


def calls(
    db: o.Db = None,
    form: o.Form = Format.table,
    session: o.Session = None,
    server: o.Server = None,
    client: o.Client = None,
    tool: o.Tool = None,
    since: o.Since = None,
    until: o.Until = None,
    outcome: o.Outcome = None,
    limit: o.Limit = None,
) -> None:
    """List the calls: one row a user-visible call with its legs, its time split into the server's and the person's."""
    from auditor.cli.listing import CALLS, print_listing

    filters = Filters(
        session=session, server=server, client=client, tool=tool, since=since, until=until,
        outcome=known(outcome, CALL_OUTCOMES, "--outcome"), limit=limit,
    )  # fmt: skip
    print_listing(CALLS, o.database(db), form, filters)


def elicitations(
    db: o.Db = None,
    form: o.Form = Format.table,
    kind: Annotated[Kind, typer.Option("--kind", help="Which prompts.")] = Kind.elicitation,
    session: o.Session = None,
    server: o.Server = None,
    client: o.Client = None,
    tool: o.Tool = None,
    since: o.Since = None,
    until: o.Until = None,
    outcome: o.Outcome = None,
    tier: o.Tier = None,
    limit: o.Limit = None,
) -> None:
    """List the prompts: what a user was asked, in which call, and what they answered."""
    from auditor.cli.listing import ELICITATIONS, print_listing

    filters = Filters(
        session=session, server=server, client=client, tool=tool, since=since, until=until,
        outcome=known(outcome, PROMPT_OUTCOMES, "--outcome"), tier=tier, limit=limit,
        kind=None if kind is Kind.all else kind.value,
    )  # fmt: skip
    print_listing(ELICITATIONS, o.database(db), form, filters)


def orphans(
    db: o.Db = None,
    form: o.Form = Format.table,
    session: o.Session = None,
    server: o.Server = None,
    client: o.Client = None,
    tool: o.Tool = None,
    since: o.Since = None,
    until: o.Until = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="WORDS", help="Only these kinds, with commas between them.")
    ] = None,
    limit: o.Limit = None,
) -> None:
    """List what was left hanging: requests without an answer, answers without a request, prompts never closed."""
    from auditor.cli.listing import ORPHANS, print_listing

    filters = Filters(
        session=session, server=server, client=client, tool=tool, since=since, until=until,
        kind=known(kind, ORPHAN_KINDS, "--kind"), limit=limit,
    )  # fmt: skip
    print_listing(ORPHANS, o.database(db), form, filters)


def findings(
    db: o.Db = None,
    form: o.Form = Format.table,
    rule: Annotated[
        str | None, typer.Option("--rule", metavar="IDS", help="Only these rules, with commas between them.")
    ] = None,
    severity: Annotated[
        str | None, typer.Option("--severity", metavar="WORDS", help="Only these: violation, warning, policy, info.")
    ] = None,
    session: o.Session = None,
    server: o.Server = None,
    client: o.Client = None,
    tool: o.Tool = None,
    since: o.Since = None,
    until: o.Until = None,
    limit: o.Limit = None,
) -> None:
    """List what the rules found; `auditor rules ID` says why it matters and how to mend it."""
    from auditor.cli.listing import FINDINGS, print_listing
    from auditor.cli.rulebook import known_rules

    filters = Filters(
        session=session, server=server, client=client, tool=tool, since=since, until=until, rule=known_rules(rule),
        severity=severity, limit=limit,
    )  # fmt: skip
    print_listing(FINDINGS, o.database(db), form, filters)


def stats(
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="WORDS",
            help="Group by these, with commas between them: server, tool, client, mode, field-kind, day, protocol.",
        ),
    ] = "",
    db: o.Db = None,
    form: o.Form = Format.table,
    session: o.Session = None,
    server: o.Server = None,
    client: o.Client = None,
    tool: o.Tool = None,
    since: o.Since = None,
    until: o.Until = None,
    tier: o.Tier = None,
) -> None:
    """Rates of accept, decline, cancel, timeout and the rest with 95 % intervals, and how long people take."""
    from auditor.cli.stats import print_stats

    filters = Filters(session=session, server=server, client=client, tool=tool, since=since, until=until, tier=tier)
    print_stats(o.database(db), by, form, filters)


def show(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="An id, the beginning of one, or `last`.")],
    db: o.Db = None,
    form: Annotated[ShowAs, typer.Option("--format", help="How to draw it.")] = ShowAs.tree,
) -> None:
    """Show one session as a tree: its calls, the prompts inside them, and for each prompt why it belongs there."""
    from auditor.cli.show import print_session

    print_session(o.database(db), session, form.value)
