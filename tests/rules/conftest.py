"""One database with every case of every rule in it, made the way any recording is: journal, tables, findings."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from auditor import __version__
from auditor.capture.writer import CaptureWriter
from auditor.files import journals_dir, private_dir
from auditor.formats.importer import import_file
from auditor.journal.records import VERSION, Start
from auditor.pipeline import reading, refresh
from auditor.redact.redactor import Redactor
from auditor.redact.result import Redacted

from .transcript import Case, needs_journal, read, steps, trace

CASES = Path(__file__).with_name("cases")


def all_cases() -> list[Case]:
    return [case for path in sorted(CASES.glob("*.txt")) for case in read(path)]


class Broken:
    """A redactor that gives up on every message."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def message(self, raw: bytes, parsed: Any, direction: str) -> Redacted:
        return Redacted(b"", error="too deep")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)


def write_journal(case: Case, db: Path) -> str:
    """Record a case that no trace can say."""
    redactor = Redactor.load(db)
    folder = private_dir(journals_dir(db))
    at, _, _ = steps(case)[0]
    start = Start(
        seq=0, ts_ns=at * 1000, v=VERSION, capture=case.name, transport="stdio", cmd=[case.name], auditor=__version__,
        policy=redactor.policy_hash, key_id=redactor.key_id,
    )  # fmt: skip
    whole = redactor.for_capture(None)
    broken = any(kind == "unstored" for _, kind, _ in steps(case))
    writer = CaptureWriter.create(folder, start, Broken(whole) if broken else whole)  # type: ignore[arg-type]
    for at, kind, facts in steps(case)[1:]:
        ns = at * 1000
        if kind == "text":
            writer.line(facts["dir"], ns, facts["raw"].encode(), len(facts["raw"]))
        elif kind == "unstored":
            writer.line("c2s", ns, facts.removeprefix("> ").encode(), len(facts))
        elif kind == "stderr":
            writer.stderr(ns, facts.encode())
        elif kind == "gap":
            writer.event(ns, "gap", lost_bytes=int(facts), lost_messages=None)
        elif kind == "eof":
            writer.event(ns, "eof", dir=facts)
        else:
            writer.event(ns, "exit", rc=facts)
    writer.seal(at * 1000)
    return writer.capture_id


@pytest.fixture(scope="session")
def cases_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of all cases."""
    folder = tmp_path_factory.mktemp("cases")
    db, file = folder / "cases.duckdb", folder / "cases.jsonl"
    traced = [case for case in all_cases() if not needs_journal(case)]
    file.write_text("".join(line + "\n" for case in traced for line in trace(case)), "utf-8")
    import_file(file, "trace", db)
    for case in all_cases():
        if needs_journal(case):
            write_journal(case, db)
    refresh(db)
    return db


@pytest.fixture(scope="session")
def found(cases_db: Path) -> Iterator[dict[str, list[dict[str, Any]]]]:
    """The findings of each case, by its name."""
    with reading(cases_db) as con:
        problems = con.execute("SELECT capture_id, problem FROM ingested WHERE problem IS NOT NULL").fetchall()
        assert problems == []
        yield by_case(con)


def by_case(con: duckdb.DuckDBPyConnection) -> dict[str, list[dict[str, Any]]]:
    """Findings by the name that the case's captures have as their command."""
    rows = con.execute(
        "SELECT c.cmd[1], f.rule, f.severity, f.confidence, f.party, f.subject, f.message, f.evidence::VARCHAR,"
        " f.session_id, f.seq FROM findings f JOIN captures c USING (capture_id) ORDER BY ALL"
    ).fetchall()
    names = ("case", "rule", "severity", "confidence", "party", "subject", "message", "evidence", "session", "seq")
    cases: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        cases.setdefault(row[0], []).append(dict(zip(names, row, strict=True)))
    return cases
