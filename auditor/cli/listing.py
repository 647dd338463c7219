"""The listings: one SELECT each, filtered, shaped and printed in one way."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from auditor.cli import shapes
from auditor.cli.diagnostics import say
from auditor.cli.filters import Filters, where
from auditor.cli.health import report_health
from auditor.cli.render import Format, held_output, print_csv, print_json, table
from auditor.cli.values import clock, duration, ms, rpc_id, sure

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = Mapping[str, Any]
_BATCH = 2000  # rows fetched at once
TABLE_ROWS = 1000  # rows of a table when no limit is named


class Listing(msgspec.Struct, frozen=True):
    """A listing: its SQL file, its JSON shape, the columns of its CSV and of its table."""

    name: str
    shape: Callable[[Row], dict[str, Any]]
    csv: Sequence[str]
    headings: Sequence[str]
    cells: Callable[[Row], Sequence[Any]]
    order: str = "capture_started, capture_id, seq, item"


def print_listing(listing: Listing, db: Path, form: Format, filters: Filters) -> None:
    """Bring the database up to date, then print what the filters leave."""
    from auditor.pipeline import reading

    if form is Format.table:
        _print_table(listing, db, filters)
        return
    with held_output(), reading(db) as con:
        report_health(con)
        shaped = (listing.shape(r) for r in rows(con, listing, filters))
        if form is Format.json:
            print_json(shaped)
        else:
            print_csv(listing.csv, shaped)


def _print_table(listing: Listing, db: Path, filters: Filters) -> None:
    """What a person can read: the latest rows, and a word about the rest when no limit was named."""
    from auditor.pipeline import reading

    limit = TABLE_ROWS if filters.limit is None else filters.limit
    with reading(db) as con:
        report_health(con)
        found = list(rows(con, listing, msgspec.structs.replace(filters, limit=limit + 1)))
    table(listing.headings, [listing.cells(r) for r in found[-limit:] if limit])
    if len(found) > limit and filters.limit is None:
        say(f"these are the latest {limit}; --limit N shows more, and --format json or csv all")


def rows(con: "DuckDBPyConnection", listing: Listing, filters: Filters) -> Iterator[dict[str, Any]]:
    """The rows that the filters leave, in order; with a limit, the last of them."""
    condition, values = where(con, filters)
    sql = Path(__file__).with_name("listings").joinpath(f"{listing.name}.sql").read_text("utf-8")
    query = f"SELECT * FROM ({sql}) WHERE {condition}"  # noqa: S608 - fixed texts; what the user gave is bound
    if filters.limit is not None:
        values["limit"] = filters.limit
        backwards = ", ".join(f"{column} DESC" for column in listing.order.split(", "))
        query = f"SELECT * FROM ({query} ORDER BY {backwards} LIMIT $limit)"  # noqa: S608 - as above
    con.execute(f"{query} ORDER BY {listing.order}", values)
    names = [d[0] for d in con.description or []]
    while batch := con.fetchmany(_BATCH):
        yield from (dict(zip(names, row, strict=True)) for row in batch)


def _session(r: Row) -> Sequence[Any]:
    ended = r["outcome"] if r["exit_code"] in (None, 0) else f"{r['outcome']} (exit {r['exit_code']})"
    return (
        r["session_id"], clock(r["started_at"]), r["name"], r["server"], r["client"], r["protocol"], r["messages"],
        r["calls"], r["prompts"], r["orphans"], r["findings"], ended,
    )  # fmt: skip


def _call(r: Row) -> Sequence[Any]:
    return (
        r["session_id"], r["seq"], clock(r["started_at"]), r["server"], r["method"], r["tool"], r["outcome"],
        duration(ms(r["duration_us"])), duration(ms(r["human_us"])), len(r["prompts"]), len(r["legs"]),
    )  # fmt: skip


def _elicitation(r: Row) -> Sequence[Any]:
    fields = [f["name"] + (f" ({f['sensitive']}!)" if f["sensitive"] else "") for f in r["fields"] or []]
    return (
        r["session_id"], r["seq"], clock(r["asked_at"]), r["server"], r["tool"], r["outcome"],
        duration(ms(r["latency_us"])), r["tier"], sure(r["confidence"]) if r["tier"] == "inferred" else None,
        ", ".join(fields), r["message"] if r["kind"] == "elicitation" else f"[{r['kind']}]",
    )  # fmt: skip


def _orphan(r: Row) -> Sequence[Any]:
    return (
        r["session_id"], r["seq"], r["kind"], r["method"], rpc_id(r["rpc_id"], r["rpc_id_type"]), r["direction"],
        r["detail"],
    )  # fmt: skip


def _finding(r: Row) -> Sequence[Any]:
    return (
        r["rule"], r["severity"], r["confidence"], r["party"], r["session_id"], r["seq"], r["subject"], r["message"],
    )  # fmt: skip


SESSIONS = Listing(
    "sessions",
    shapes.session,
    (
        "capture", "session", "transport", "server.name", "server.version", "client.name", "client.version", "protocol",
        "name", "cmd", "source", "started_at", "ended_at", "end_reason", "exit_code", "exit_signal", "handshake",
        "sealed", "content_level", "lost_bytes", "messages", "calls", "prompts", "orphans", "findings",
    ),
    (
        "session", "started (UTC)", "name", "server", "client", "protocol", "msgs", "calls", "prompts", "orphans",
        "findings", "ended by",
    ),
    _session,
)  # fmt: skip
CALLS = Listing(
    "calls",
    shapes.call,
    (
        "capture", "session", "seq", "rpc_id", "method", "tool", "legs", "outcome", "error_code", "started_at",
        "ended_at", "duration_ms", "human_ms", "server_ms", "prompts", "task",
    ),
    ("session", "seq", "started (UTC)", "server", "method", "tool", "outcome", "took", "person", "prompts", "legs"),
    _call,
)  # fmt: skip
ELICITATIONS = Listing(
    "elicitations",
    shapes.elicitation,
    (
        "capture", "session", "seq", "item", "rpc_id", "key", "carriage", "kind", "mode", "message", "url", "fields",
        "declared", "outcome", "detail", "late_action", "asked_at", "answered_at", "latency_ms", "parent.seq",
        "parent.rpc_id", "parent.method", "parent.tool", "parent.root_rpc_id", "attribution.tier",
        "attribution.confidence", "attribution.evidence", "attribution.candidates", "url_status",
    ),
    ("session", "seq", "asked (UTC)", "server", "tool", "outcome", "after", "tier", "conf", "fields", "message"),
    _elicitation,
)  # fmt: skip
ORPHANS = Listing(
    "orphans",
    shapes.orphan,
    ("kind", "capture", "session", "seq", "rpc_id", "method", "direction", "detail"),
    ("session", "seq", "kind", "method", "id", "dir", "detail"),
    _orphan,
    order="capture_started, capture_id, seq, kind, rpc_id, detail",
)
FINDINGS = Listing(
    "findings",
    shapes.finding,
    (
        "rule", "severity", "confidence", "party", "capture", "session", "seq", "rpc_id", "subject", "message",
        "evidence",
    ),
    ("rule", "severity", "confidence", "party", "session", "seq", "subject", "message"),
    _finding,
    order="capture_started, capture_id, seq, rule, subject",
)  # fmt: skip
