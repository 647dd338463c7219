"""Which rules can have anything to say about the captures in scope.

Planning a statement costs more than running it on a small capture, so a rule is not run for nothing: its header names
methods and tables (`needs`), and signs (`when`), without which it has nothing to say. All the signs that are looked
for in one table are looked for in one pass over it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import duckdb

from auditor.rules.model import REVISIONS, Rule

_UNKNOWN = {"2025-06-18", "2025-11-25"}
_OCCUPIED = {
    "#prompts": "elicitations",
    "#asks": "exchanges WHERE direction = 'c2s' AND result_type = 'input_required'",
    "#orphans": "orphans",
    "#redactions": "redactions",
    "#tasks": "tasks",
    "#http": "http_facts",
}


def occurring(con: duckdb.DuckDBPyConnection) -> set[str]:
    """The methods that occur in scope, and, after a `#`, the tables that hold anything."""
    held = " UNION ALL ".join(f"(SELECT '{name}' FROM {rows} LIMIT 1)" for name, rows in _OCCUPIED.items())  # noqa: S608
    rows = con.execute(f"SELECT DISTINCT method FROM m_lines UNION ALL {held}").fetchall()  # noqa: S608
    return {row[0] for row in rows if row[0]}


def needed(needs: Sequence[str], seen: set[str]) -> bool:
    """Whether any of what a rule or a fact is about occurs."""
    return not needs or not seen.isdisjoint(needs)


def candidates(con: duckdb.DuckDBPyConnection, rules: Iterable[Rule], seen: set[str]) -> list[Rule]:
    """The rules that hold in a revision in scope, and whose methods or tables occur."""
    revisions = {row[0] for row in con.execute("SELECT DISTINCT protocol FROM sessions").fetchall()}
    return [rule for rule in rules if rule.scope == "store" or (needed(rule.needs, seen) and _holds(rule, revisions))]


def signed(con: duckdb.DuckDBPyConnection, rules: Sequence[Rule]) -> list[Rule]:
    """Those of the rules of which a sign is there, or that name none."""
    by_table: dict[str, list[str]] = defaultdict(list)
    for rule in rules:
        for table, sign in rule.when:
            if sign not in by_table[table]:
                by_table[table].append(sign)
    found: set[tuple[str, str]] = set()
    for table, signs in by_table.items():
        columns = ", ".join(f"coalesce(bool_or({sign}), false)" for sign in signs)
        row = con.execute(f"SELECT {columns} FROM {table}").fetchone() or ()  # noqa: S608
        found.update((table, sign) for sign, there in zip(signs, row, strict=True) if there)
    return [rule for rule in rules if not rule.when or not found.isdisjoint(rule.when)]


def everywhere(rule: Rule) -> bool:
    """Whether it holds in every revision."""
    return set(rule.revisions) >= set(REVISIONS)


def unknown_too(rule: Rule) -> bool:
    """Whether it holds where the revision is not known: then it is none that every request names (2026-07-28)."""
    return set(rule.revisions) >= _UNKNOWN


def _holds(rule: Rule, present: set[str | None]) -> bool:
    return everywhere(rule) or not present.isdisjoint(rule.protocols()) or (None in present and unknown_too(rule))
