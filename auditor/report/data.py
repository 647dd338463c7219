"""What the report says, read from the database. Equal databases give equal data."""

from collections.abc import Iterable
from math import sqrt
from typing import TYPE_CHECKING, Any

import msgspec

from auditor import queries
from auditor.report.text import spell_ms
from auditor.rules.registry import all_rules

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = dict[str, Any]

DECISIONS = ("accept", "decline", "cancel")
OUTCOMES = (
    *DECISIONS, "timeout", "timeout_inferred", "client_error", "expired", "cancelled_parent", "cancelled_server",
    "abandoned_parent", "abandoned_session", "unsupported", "superseded", "pending",
)  # fmt: skip
SEVERITIES = ("violation", "policy", "warning", "info")
TOOLS = 15  # tools with a bar of their own; the others are one bar
_NOT_ELIGIBLE = ("unsupported", "pending", "superseded")
_CURVE = 400  # points of the curve that are drawn
_Z = 1.959963984540054


def rows(con: "DuckDBPyConnection", name: str, **values: Any) -> list[Row]:
    """The rows of `queries/report/<name>.sql`; parameters that are not given take their default."""
    query = next(q for q in queries.load("report") if q.stem == name)
    given = {p.name: msgspec.json.decode(p.default or "null") for p in query.params} | values
    cursor = con.execute(query.sql, given)
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def collect(con: "DuckDBPyConnection") -> Row:
    """Everything the page is made of."""
    outcomes = rows(con, "outcomes")
    return {
        "totals": rows(con, "totals")[0],
        "health": rows(con, "health"),
        "sessions": rows(con, "sessions"),
        "tools": by_tool(outcomes),
        "url_required": rows(con, "url_required"),
        "tiers": {row["tier"]: row["n"] for row in rows(con, "tiers")},
        "curve": curve(rows(con, "survival")),
        "rules": by_rule(rows(con, "findings_by_rule"), rows(con, "findings")),
        "prompts": rows(con, "prompts"),
        "orphans": rows(con, "orphans"),
        "secrets": rows(con, "secrets"),
    }


def by_tool(outcomes: Iterable[Row]) -> list[Row]:
    """One row a tool, the most asking first: counts by outcome, N, E, A and the decision rates over A."""
    groups: dict[tuple[str | None, str | None], dict[str, int]] = {}
    for row in outcomes:
        counts = groups.setdefault((row["server"], row["tool"]), {})
        counts[row["outcome"]] = counts.get(row["outcome"], 0) + row["n"]
    tools = [_rated(server, tool, counts) for (server, tool), counts in groups.items()]
    return sorted(tools, key=lambda t: (-t["n"], t["server"] or "", t["tool"] or ""))


def total(tools: Iterable[Row]) -> Row:
    """The same for all tools together."""
    counts: dict[str, int] = {}
    for tool in tools:
        for outcome, n in tool["counts"].items():
            counts[outcome] = counts.get(outcome, 0) + n
    return _rated(None, None, counts)


def _rated(server: str | None, tool: str | None, counts: dict[str, int]) -> Row:
    n = sum(counts.values())
    answered = sum(counts.get(o, 0) for o in DECISIONS)
    return {
        "server": server,
        "tool": tool,
        "counts": counts,
        "n": n,
        "eligible": n - sum(counts.get(o, 0) for o in _NOT_ELIGIBLE),
        "answered": answered,
        "rates": {o: interval(counts.get(o, 0), answered) for o in DECISIONS},
    }


def interval(hits: int, n: int) -> Row | None:
    """`hits` of `n` with the 95 % Wilson interval; None where there is nothing to divide by."""
    if n == 0:
        return None
    p, zz = hits / n, _Z * _Z
    middle = (p + zz / (2 * n)) / (1 + zz / n)
    half = _Z * sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
    return {"value": p, "low": max(0.0, middle - half), "high": min(1.0, middle + half)}


def curve(steps: list[Row]) -> Row:
    """The Kaplan-Meier curve, with the times at which half and 95 % have answered (None when that never came)."""

    def when(left: float) -> float | None:
        return next((float(s["at_ms"]) for s in steps if s["surviving"] is not None and s["surviving"] <= left), None)

    every = max(1, -(-len(steps) // _CURVE))
    kept = [s for i, s in enumerate(steps) if i % every == 0 or i == len(steps) - 1]
    median, p95 = when(0.5), when(0.05 + 1e-12)
    return {
        "answered": sum(s["answered"] for s in steps),
        "censored": sum(s["censored"] for s in steps),
        "median": None if median is None else spell_ms(median),
        "p95": None if p95 is None else spell_ms(p95),
        "until": max((s["at_ms"] for s in steps if s["answered"]), default=0) / 1000,
        "x": [s["at_ms"] / 1000 for s in kept],
        "y": [1.0 if s["surviving"] is None else s["surviving"] for s in kept],
    }


def by_rule(counted: Iterable[Row], found: Iterable[Row]) -> list[Row]:
    """One row a rule and severity, the gravest first, with its reason, its remedy and the first of its findings."""
    known = {rule.id: rule for rule in all_rules()}
    told: dict[tuple[str, str, str], list[Row]] = {}
    for row in found:
        told.setdefault((row["rule"], row["severity"], row["confidence"]), []).append(row)
    out = [
        {
            **row,
            "about": known.get(row["rule"]),
            "found": told.get((row["rule"], row["severity"], row["confidence"]), []),
        }
        for row in counted
    ]
    return sorted(out, key=lambda r: (_place(SEVERITIES, r["severity"]), -r["n"], r["rule"], r["confidence"]))


def _place(words: tuple[str, ...], word: str) -> int:
    return words.index(word) if word in words else len(words)
