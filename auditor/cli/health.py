"""What a reader must know before trusting an absence: gaps, torn journals, captures without an end."""

from typing import TYPE_CHECKING

from auditor.cli.diagnostics import say

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SHOWN = 3  # captures named one by one; the rest is a number


def report_health(con: "DuckDBPyConnection") -> None:
    """Say on stderr what is wrong with the record; nothing when it is whole."""
    _lost(con)
    _damaged(con)
    _unsealed(con)


def _lost(con: "DuckDBPyConnection") -> None:
    rows = con.execute(
        "SELECT capture_id, lost_bytes, lost_messages FROM captures WHERE lost_bytes > 0 OR lost_messages > 0 "
        "ORDER BY started_at DESC"
    ).fetchall()
    for capture, lost, messages in rows[:SHOWN]:
        counted = "an unknown number of messages" if messages is None else f"{messages} messages"
        say(f"gap: {lost} bytes ({counted}) of {capture} passed unrecorded; what is absent there proves nothing")
    _more(len(rows), "captures have gaps")


def _damaged(con: "DuckDBPyConnection") -> None:
    rows = con.execute(
        "SELECT journal, problem FROM ingested WHERE problem IS NOT NULL ORDER BY ingested_at DESC"
    ).fetchall()
    for journal, problem in rows[:SHOWN]:
        say(f"journal {journal}: {problem}")
    _more(len(rows), "journals are damaged")


def _unsealed(con: "DuckDBPyConnection") -> None:
    rows = con.execute("SELECT capture_id FROM captures WHERE NOT sealed ORDER BY started_at DESC").fetchall()
    if rows:
        named = ", ".join(r[0] for r in rows[:SHOWN]) + (" …" if len(rows) > SHOWN else "")
        count = "1 capture has" if len(rows) == 1 else f"{len(rows)} captures have"
        say(f"{count} no seal (still running, or its recorder was killed): {named}")


def _more(count: int, what: str) -> None:
    if count > SHOWN:
        say(f"{count} {what} in all")
