"""`auditor demo`: play the stories, say what was seen, and where the report is."""

import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli import listing
from auditor.cli.diagnostics import say
from auditor.cli.filters import Filters
from auditor.cli.health import report_health
from auditor.cli.render import emit, table
from auditor.cli.reporting import write_report
from auditor.demo.run import leaks, play
from auditor.errors import VerificationError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TITLES = {
    "answers": "three forms: accepted, declined, dismissed",
    "unanswered": "a form that nobody answers in time",
    "incapable": "a client that cannot be asked",
    "credentials": "a form that asks for an API key, and a page that does it right",
    "interleaved": "two calls at once, their forms interleaved",
    "withdrawn": "a call that the client cancels while its form is open",
    "rounds": "2026-07-28: input_required, then a retry with its state",
}


def run_demo(folder: Path, *, quiet: bool) -> None:
    """Play the demo into that folder and report.

    Raises:
        VerificationError: when a planted secret is found in a file of the record.
    """
    from auditor.pipeline import reading

    began = time.monotonic()
    if not quiet:
        say("starting seven bundled servers, each behind `auditor record` …")
    db = play(folder)
    with reading(db) as con:
        report_health(con)
        if not quiet:
            _summary(con)
    output = write_report(db, folder / "report.html", open_it=False, told=False)
    found = leaks(folder)
    if found:
        raise VerificationError(f"a planted secret stands in {', '.join(map(str, found))}; please report this")
    if quiet:
        emit(str(output))
        return
    emit(f"\nNone of the planted secrets is in any file under {folder}. It took {time.monotonic() - began:.1f} s.")
    auditor = _as_called()
    emit(f"Look further: {auditor} elicitations --db {db}    {auditor} show last --db {db}")
    emit(f"Report: {output}")


def _as_called() -> str:
    """How this program is started here: it is not always on the PATH, as in the environment that make sets up."""
    if shutil.which("auditor"):
        return "auditor"
    beside = Path(sys.executable).with_name("auditor")
    return os.path.relpath(beside) if beside.exists() else f"{sys.executable} -m auditor"


def _summary(con: "DuckDBPyConnection") -> None:
    sessions = {r["session_id"]: r for r in listing.rows(con, listing.SESSIONS, Filters())}
    prompts = list(listing.rows(con, listing.ELICITATIONS, Filters()))
    rows = []
    for identity, session in sorted(sessions.items(), key=lambda s: list(_TITLES).index(s[1]["name"])):
        mine = [p for p in prompts if p["session_id"] == identity]
        outcomes = ", ".join(f"{p['outcome']} ({p['tier']})" for p in mine) or "nothing asked"
        rows.append((session["name"], session["protocol"], _TITLES[session["name"]], outcomes))
    table(("session", "protocol", "what happened", "prompts (and how sure their call is)"), rows)
    findings: list[Any] = con.execute(
        "SELECT rule, severity, count(*), min(message) FROM findings GROUP BY ALL ORDER BY severity DESC, rule"
    ).fetchall()
    if findings:
        emit("")
        table(("rule", "severity", "times", "for example"), findings)
