"""Loading journals, each from where the ledger says it was left.

Rules. The ledger moves in the same transaction as the rows, so a load happens whole or not at all, and again does
nothing. A torn tail is left for the next time. What is wrong with a journal is said in the ledger, and stops nothing.
"""

import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from copy import copy
from pathlib import Path

import duckdb
import msgspec

from auditor.crew import Outcomes
from auditor.files import private_dir
from auditor.store import plan
from auditor.store.job import WORK, Job, Outcome, Slice, run, size
from auditor.store.load import capture_row, finish_captures, load_captures, load_rows
from auditor.store.parse import State

SUFFIX = ".ndjson"
_QUIET_S = 60  # a torn tail this old is damage, not a recorder in the middle of a write
_TORN = "the journal ends in the middle of a record"
_NEW = (0, 0, 0, "", -1, False, None)
ALONE_BYTES = 24 << 20  # less than this is read in this process
_SHORT = "the journal is shorter than it was"


def pending(con: duckdb.DuckDBPyConnection, journals: Path) -> list[Slice]:
    """The stretches of journals that are not loaded yet, oldest capture first. Costs one `stat` a journal."""
    ledger = {row[0]: row[1:] for row in con.execute(
        "SELECT journal, bytes_loaded, records_loaded, messages_loaded, last_hash, last_seq, sealed, problem"
        " FROM ingested"
    ).fetchall()}  # fmt: skip
    out: list[Slice] = []
    for name, length, mtime_ns in _journals(journals):
        at, count, messages, digest, seq, sealed, problem = ledger.get(name, _NEW)
        if length == at:
            continue
        torn = length > at and not _has_line(journals / name, at, length)
        quiet = time.time_ns() - mtime_ns > _QUIET_S * 10**9
        if (torn and (not quiet or (problem and _TORN in problem))) or (length < at and problem and _SHORT in problem):
            continue
        said = [p for p in (problem or "").split("; ") if p and p != _TORN]
        state = State(digest, seq, mtime_ns, count, messages, sealed, said)
        if torn:
            state.blame(_TORN)
        elif length < at:
            state.blame(_SHORT)
        out.append(Slice(name.removesuffix(SUFFIX), str(journals / name), at, max(at, length), state))
    return out


def _journals(folder: Path) -> list[tuple[str, int, int]]:
    """(name, bytes, mtime in ns) of all journals, by name."""
    try:
        with os.scandir(folder) as entries:
            found = [(e.name, e.stat()) for e in entries if e.name.endswith(SUFFIX) and e.is_file()]
    except FileNotFoundError:
        return []
    return sorted((name, s.st_size, s.st_mtime_ns) for name, s in found)


def _has_line(path: Path, at: int, size: int) -> bool:
    try:
        with path.open("rb") as f:
            f.seek(at)
            while at < size:
                chunk = f.read(1 << 14)
                if b"\n" in chunk or not chunk:
                    return bool(chunk)
                at += len(chunk)
    except OSError:
        return False
    return False


def ingest(con: duckdb.DuckDBPyConnection, journals: Path) -> list[str]:
    """Load what is new from all journals; gives the captures that grew. The caller has opened the transaction."""
    with spool_for(journals) as spool, closing(Reading(pending(con, journals), spool)) as reading:
        return load(con, reading)


@contextmanager
def spool_for(journals: Path) -> Iterator[Path]:
    """A private folder for spool files beside the journals; what a killed process left there goes, too."""
    spool = private_dir(journals.with_name(journals.name + ".spool"), parents=False)
    try:
        yield spool
    finally:
        shutil.rmtree(spool, ignore_errors=True)


class Reading:
    """Slices on their way through spool files in `spool`. Much is read by other processes, which begin at once; it
    is to be closed.

    When it is not `careful`, the database may refuse a row; care takes twice the time.
    """

    def __init__(self, slices: Sequence[Slice], spool: Path, *, careful: bool = True) -> None:
        self.before = {part.capture: part.state.records for part in slices}
        jobs = list(plan.jobs(slices, private_dir(spool), careful=careful))
        guesses = [[copy(part.state) for part in job.slices] for job in jobs]
        self._jobs = list(zip(jobs, guesses, strict=True))
        self._outcomes = Outcomes(WORK, jobs, alone=sum(map(size, slices)) < ALONE_BYTES, most=len(jobs))
        self.close = self._outcomes.close

    def __iter__(self) -> Iterator[tuple[Job, list[State], Outcome]]:
        """Each job with the states that its slices were guessed to begin in, and its outcome."""
        for (job, guessed), outcome in zip(self._jobs, self._outcomes, strict=True):
            yield job, guessed, outcome


def load(con: duckdb.DuckDBPyConnection, reading: Reading) -> list[str]:
    """Load what is read, and move the ledger; gives the captures that grew.

    Raises:
        duckdb.Error: when the database refuses a row.
    """
    before = reading.before
    newer: dict[str, int] = {}
    after: dict[str, Slice] = {}
    read: list[Outcome] = []
    for job, guessed, outcome in reading:
        first = outcome.slices[0]
        previous = after.get(first.capture)
        if previous is not None and not plan.joined(first, guessed[0], previous.state):
            outcome = _again(job, previous)
        read.append(outcome)
        newer |= outcome.newer
        after |= {part.capture: part for part in outcome.slices}
        for capture, seal in outcome.seals:
            here = after[capture].state
            if seal.messages != here.messages:
                here.blame(f"the seal counts {seal.messages} messages, {here.messages} are here")
    _store(con, read)
    _note(con, list(after.values()), newer)
    grown = [c for c, part in after.items() if part.state.records > before[c] and c not in newer]
    if grown:
        finish_captures(con, grown)
    return grown


def _again(job: Job, previous: Slice) -> Outcome:
    """Read once more a piece of a journal that did not begin where it seemed to."""
    part = msgspec.structs.replace(job.slices[0], offset=previous.offset, state=previous.state)
    return run(Job([part, *job.slices[1:]], job.spool, job.careful))


def _store(con: duckdb.DuckDBPyConnection, read: Sequence[Outcome]) -> None:
    """Load spool files, all of a table in one statement: each leaves row groups behind that are not full, which the
    next checkpoint would write anew, and with them much of the table."""
    files: dict[str, list[str]] = {}
    for outcome in read:
        for table, file in outcome.files.items():
            files.setdefault(table, []).append(file)
    for table, spooled in files.items():
        load_rows(con, table, spooled, max(outcome.widest for outcome in read))
        for file in spooled:
            Path(file).unlink()
    rows = [capture_row(capture, start) for outcome in read for capture, start in outcome.starts]
    known = {row["capture_id"] for row in rows}.union(*(outcome.newer for outcome in read))
    parts = {part.capture: part for outcome in read for part in outcome.slices}
    load_captures(con, rows, [p.capture for p in parts.values() if p.capture not in known and p.state.records])


def _note(con: duckdb.DuckDBPyConnection, read: Sequence[Slice], newer: Mapping[str, int]) -> None:
    """Move the ledger."""
    rows = []
    for part in read:
        if part.capture in newer:
            part = Slice(part.capture, part.path, 0, 0, State())
            part.state.blame(f"its format {newer[part.capture]} is newer than this auditor; update auditor")
        rows.append({
            "c": part.capture, "j": Path(part.path).name, "b": part.offset, "r": part.state.records,
            "m": part.state.messages, "h": part.state.hash, "q": part.state.seq, "s": part.state.sealed,
            "p": "; ".join(part.state.problems) or None,
        })  # fmt: skip
    con.execute(
        """INSERT INTO ingested (capture_id, journal, bytes_loaded, records_loaded, messages_loaded, last_hash,
            last_seq, sealed, problem, ingested_at)
        SELECT c, j, b, r, m, h, q, s, p, now() AT TIME ZONE 'UTC' FROM (SELECT unnest(from_json($rows::JSON,
            '[{"c":"VARCHAR","j":"VARCHAR","b":"BIGINT","r":"BIGINT","m":"BIGINT","h":"VARCHAR","q":"BIGINT","s":"BOOLEAN",
            "p":"VARCHAR"}]'), recursive := true))
        ON CONFLICT (capture_id) DO UPDATE SET bytes_loaded = excluded.bytes_loaded,
            records_loaded = excluded.records_loaded, messages_loaded = excluded.messages_loaded,
            last_hash = excluded.last_hash, last_seq = excluded.last_seq,
            sealed = excluded.sealed, problem = excluded.problem, ingested_at = excluded.ingested_at""",
        {"rows": msgspec.json.encode(rows).decode()},
    )


def give_up(con: duckdb.DuckDBPyConnection, part: Slice, why: str) -> None:
    """Say in the ledger that a journal's rows are not taken by the database; it is not tried again until it grows."""
    part.state.blame(f"it cannot be loaded ({why})")
    _note(con, [msgspec.structs.replace(part, offset=part.end)], {})


def blame(con: duckdb.DuckDBPyConnection, capture: str, why: str) -> None:
    """Say in the ledger what is wrong with a loaded capture; it counts as analyzed until it grows."""
    con.execute(
        "UPDATE ingested SET analyzed_records = records_loaded, problem = concat_ws('; ', problem, $why)"
        " WHERE capture_id = $capture",
        {"capture": capture, "why": why},
    )
