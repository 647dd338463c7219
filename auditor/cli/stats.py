"""`auditor stats`: outcomes counted, and their rates.

N is all prompts, E those that a client could answer (N less unsupported, pending and superseded), A the answered ones
(accept, decline, cancel). Decision rates are over A, failures over E, unsupported over N. Prompts that rode on error
-32042 are a family of their own, counted beside. Time to answer is the Kaplan-Meier estimate, in which a prompt that
nobody answered counts as open for as long as it was.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from auditor.cli.filters import Filters, where, words
from auditor.cli.health import report_health
from auditor.cli.rates import wilson
from auditor.cli.render import Format, print_csv, print_json, table
from auditor.cli.values import duration, ms

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ANSWERED = ("accept", "decline", "cancel")
FAILED = (
    "timeout", "timeout_inferred", "client_error", "expired", "cancelled_parent", "cancelled_server",
    "abandoned_parent", "abandoned_session",
)  # fmt: skip
OUTCOMES = (
    "accept", "decline", "cancel", "timeout", "timeout_inferred", "unsupported", "client_error", "expired",
    "superseded", "cancelled_parent", "cancelled_server", "abandoned_parent", "abandoned_session", "pending",
)  # fmt: skip
TIERS = ("explicit", "deduced", "inferred", "ambiguous", "none")
URL_REQUIRED = ("completed", "retried", "dangling")

# what a user may group by, as a column of listings/stats.sql
GROUPS = {
    "server": "server",
    "tool": "tool",
    "client": "client",
    "mode": "mode",
    "field-kind": "unnest(field_kinds)",
    "day": "day",
    "protocol": "protocol",
}


class Group(msgspec.Struct):
    """The counts of one group: outcomes, tiers, prompts of -32042, and times to answer in milliseconds."""

    outcomes: dict[str, int]
    tiers: dict[str, int]
    url_required: dict[str, int]
    median_ms: float | None = None
    p95_ms: float | None = None
    censored: int = 0


def print_stats(db: Path, by: str, form: Format, filters: Filters) -> None:
    """Bring the database up to date, count, and print one row a group.

    Raises:
        UsageError: for a grouping that does not exist.
    """
    from auditor.pipeline import reading

    columns = words(by, tuple(GROUPS), "--by") or []
    with reading(db) as con:
        report_health(con)
        found = [shape(columns, key, group) for key, group in count(con, columns, filters).items()]
    if form is Format.json:
        print_json(found)
    elif form is Format.csv:
        print_csv(_csv_headings(columns), found)
    else:
        _print_table(columns, found)


def count(con: "DuckDBPyConnection", columns: Sequence[str], filters: Filters) -> dict[tuple[Any, ...], Group]:
    """The groups by their key, in order of the key; without a grouping there is one, also when it is empty."""
    _collect(con, columns, filters)
    groups: dict[tuple[Any, ...], Group] = {} if columns else {(): _empty()}
    counted = "SELECT key, carriage, outcome, tier, count(*) FROM prompts GROUP BY ALL ORDER BY ALL"
    for key, carriage, outcome, tier, n in con.execute(counted).fetchall():
        group = groups.setdefault(tuple(key), _empty())
        counts = group.url_required if carriage == "url_required" else group.outcomes
        counts[outcome] = counts.get(outcome, 0) + n
        if carriage != "url_required":
            group.tiers[tier] = group.tiers.get(tier, 0) + n
    for key, median, p95, censored in con.execute(_sql("time_to_answer")).fetchall():
        group = groups[tuple(key)]
        group.median_ms, group.p95_ms, group.censored = ms(median), ms(p95), censored
    return groups


def _collect(con: "DuckDBPyConnection", columns: Sequence[str], filters: Filters) -> None:
    """Put what the filters leave into the temporary table `prompts`, each with the key of its group."""
    condition, values = where(con, filters)
    key = ", ".join(GROUPS[c] for c in columns)
    select = f"SELECT list_value({key})::VARCHAR[] AS key, outcome, carriage, tier, latency_us, open_us"
    con.execute(f"CREATE OR REPLACE TEMP TABLE prompts AS {select} FROM ({_sql('stats')}) WHERE {condition}", values)


def _sql(name: str) -> str:
    return Path(__file__).with_name("listings").joinpath(f"{name}.sql").read_text("utf-8")


def _empty() -> Group:
    return Group(dict.fromkeys(OUTCOMES, 0), dict.fromkeys(TIERS, 0), dict.fromkeys(URL_REQUIRED, 0))


def shape(columns: Sequence[str], key: Sequence[Any], group: Group) -> dict[str, Any]:
    """A group as a JSON object; a rate with nothing to divide by is null."""
    c = group.outcomes
    n = sum(c.values())
    answered = sum(c[o] for o in ANSWERED)
    eligible = n - c["unsupported"] - c["pending"] - c["superseded"]
    rates = {o: wilson(c[o], answered) for o in ANSWERED}
    rates |= {o: wilson(c[o], eligible) for o in FAILED}
    rates["unsupported"] = wilson(c["unsupported"], n)
    return {
        "group": dict(zip(columns, key, strict=True)),
        "n": n,
        **{o: c[o] for o in OUTCOMES},
        "eligible": eligible,
        "answered": answered,
        "rates": rates,
        "time_to_answer_ms": {"median": group.median_ms, "p95": group.p95_ms, "censored": group.censored},
        "attribution": group.tiers,
        "url_required": group.url_required,
    }


def _csv_headings(columns: Sequence[str]) -> list[str]:
    rates = [f"rates.{o}.{part}" for o in (*ANSWERED, *FAILED, "unsupported") for part in ("value", "low", "high")]
    tiers = [f"attribution.{t}" for t in TIERS]
    times = ["time_to_answer_ms.median", "time_to_answer_ms.p95", "time_to_answer_ms.censored"]
    urls = [f"url_required.{u}" for u in URL_REQUIRED]
    return [*(f"group.{c}" for c in columns), "n", *OUTCOMES, "eligible", "answered", *rates, *times, *tiers, *urls]


def _print_table(columns: Sequence[str], found: Sequence[dict[str, Any]]) -> None:
    headings = (
        *columns,
        "n",
        *ANSWERED,
        "timeout",
        "likely timeout",
        "unsupported",
        "other",
        "median",
        "p95",
        "certain",
    )
    table(headings, [_cells(columns, r) for r in found])


def _cells(columns: Sequence[str], r: dict[str, Any]) -> list[Any]:
    shown = (*ANSWERED, "timeout", "timeout_inferred", "unsupported")
    times, tiers = r["time_to_answer_ms"], r["attribution"]
    return [
        *(r["group"][c] if r["group"][c] is not None else "—" for c in columns),
        r["n"],
        *(_rate(r[o], r["rates"][o]) for o in shown),
        r["n"] - sum(r[o] for o in shown),
        duration(times["median"]),
        duration(times["p95"]),
        f"{tiers['explicit'] + tiers['deduced']}/{r['n']}",
    ]


def _rate(n: int, rate: dict[str, float] | None) -> str:
    if rate is None:
        return str(n)
    return f"{n} ({rate['value']:.0%}, {rate['low']:.0%}–{rate['high']:.0%})"
