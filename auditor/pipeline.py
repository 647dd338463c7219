"""From journals to findings: what has to happen before anybody reads.

Rules. One process refreshes at a time, under `<db>.lock`; whoever waited looks again, and mostly finds nothing left to
do. A transaction holds the load and all that is derived from it, so a reader sees captures whole. When models or rules
have changed, everything derived is made anew.
"""

import hashlib
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import duckdb
import filelock
import msgspec

from auditor import __version__, queries
from auditor.capture.mark import wait_for_recorders
from auditor.errors import AuditorError, StoreError
from auditor.files import journals_dir, open_private, private_dir
from auditor.store import database, ingest
from auditor.store.job import Slice

T = TypeVar("T")

_PATIENCE_S = 60.0
_SETTLE_S = 0.5
_BATCH_BYTES = 512 << 20  # of journals, and
_BATCH_RECORDS = 1_000_000  # of loaded captures: what is held in one transaction
_HOSTILE = (duckdb.DataError, duckdb.IntegrityError, duckdb.InvalidInputException)  # what data can cause, and no typo


def refresh(db: Path, *, patience_s: float | None = None) -> None:
    """Load what is new from the journals and derive what follows from it.

    `patience_s` bounds the wait for others, once for the lock and once for the database; None takes the usual.

    Raises:
        StoreError: when another process keeps the database or the lock for too long.
    """
    timeout_s = database.lock_timeout_s() if patience_s is None else patience_s
    try:
        with _lock(db, timeout_s), database.connect(db, timeout_s=timeout_s) as con:
            if _stale(con, db):
                _refresh(con, db)
    except filelock.Timeout:
        raise StoreError(f"{db} is being refreshed by another process; wait for it and try again") from None


def _lock(db: Path, timeout_s: float) -> filelock.FileLock:
    path = db.with_name(db.name + ".lock")
    try:
        os.close(open_private(path))
    except OSError as e:
        raise StoreError(f"{path} cannot be made: {e.strerror}; name another place with --db") from e
    return filelock.FileLock(path, timeout=timeout_s, poll_interval=0.02, mode=0o600)


def _refresh(con: duckdb.DuckDBPyConnection, db: Path) -> None:
    if _models(con) != fingerprint():
        with _transaction(con) as cursor:
            cursor.execute("UPDATE ingested SET analyzed_records = 0")
            cursor.execute("UPDATE meta SET models_hash = ?", [fingerprint()])
    journals = journals_dir(db)
    with ingest.spool_for(journals) as spool:
        new = _batches(ingest.pending(con, journals), lambda part: part.end - part.offset, _BATCH_BYTES)
        _load_all(con, list(new), spool)
    for due in _batches(_due(con), lambda row: row[1], _BATCH_RECORDS):
        _derive(con, [capture for capture, _ in due])


def _batches(items: Sequence[T], weight: Callable[[T], int], limit: int) -> Iterator[list[T]]:
    """Items in groups of at most `limit` altogether, but one at least."""
    group: list[T] = []
    total = 0
    for item in items:
        if group and total + weight(item) > limit:
            yield group
            group, total = [], 0
        group.append(item)
        total += weight(item)
    if group:
        yield group


@contextmanager
def _transaction(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """All or nothing, on a cursor of its own: the temporary tables and views of an analysis end with it."""
    with con.cursor() as cursor:
        cursor.execute("BEGIN")
        try:
            yield cursor
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise


def _load_all(con: duckdb.DuckDBPyConnection, batches: list[list[Slice]], spool: Path) -> None:
    """Load batches; while it is derived what follows from one, the next is read."""
    ahead: deque[ingest.Reading] = deque()

    def read(number: int) -> None:
        if number < len(batches) and not ahead:
            ahead.append(ingest.Reading(batches[number], spool / str(number), careful=False))

    try:
        for number, batch in enumerate(batches):
            read(number)
            _load(con, batch, spool, ahead.popleft(), partial(read, number + 1))
    finally:
        for reading in ahead:
            reading.close()


def _load(
    con: duckdb.DuckDBPyConnection,
    batch: list[Slice],
    spool: Path,
    reading: ingest.Reading | None = None,
    loaded: Callable[[], None] = lambda: None,
) -> None:
    """Load and derive, all or nothing; one hostile journal in a batch does not keep the others out.

    `reading` is the batch where it is being read already; `loaded` is called in between."""
    kept = msgspec.msgpack.encode(batch)
    try:
        with _transaction(con) as cursor:
            with closing(reading or ingest.Reading(batch, spool, careful=False)) as read:
                grown = ingest.load(cursor, read)
            loaded()
            if grown:
                _analyze(cursor, grown)
    except _HOSTILE:
        batch = msgspec.msgpack.decode(kept, type=list[Slice])
        if len(batch) == 1:
            _load_alone(con, batch[0], spool)
            return
        half = len(batch) // 2
        _load(con, batch[:half], spool)
        _load(con, batch[half:], spool)


def _load_alone(con: duckdb.DuckDBPyConnection, part: Slice, spool: Path) -> None:
    """Load a journal that made trouble; if its rows are good, what is derived from it is left to `_derive`."""
    kept = msgspec.msgpack.encode(part)
    try:
        with _transaction(con) as cursor:
            ingest.load(cursor, ingest.Reading([part], spool))
    except _HOSTILE as e:
        with _transaction(con) as cursor:
            ingest.give_up(cursor, msgspec.msgpack.decode(kept, type=Slice), database.first_line(e))


def _derive(con: duckdb.DuckDBPyConnection, captures: list[str]) -> None:
    """Derive what follows from captures; one that the models cannot take is named in the ledger."""
    try:
        with _transaction(con) as cursor:
            _analyze(cursor, captures)
    except _HOSTILE as e:
        if len(captures) == 1:
            with _transaction(con) as cursor:
                ingest.blame(cursor, captures[0], f"it cannot be analyzed ({database.first_line(e)})")
            return
        half = len(captures) // 2
        _derive(con, captures[:half])
        _derive(con, captures[half:])


def _analyze(con: duckdb.DuckDBPyConnection, captures: list[str]) -> None:
    from auditor.analysis.build import analyze
    from auditor.rules.run import run_rules

    analyze(con, captures)
    run_rules(con)
    con.execute(
        "UPDATE ingested SET analyzed_records = records_loaded WHERE capture_id IN (SELECT unnest($captures))",
        {"captures": captures},
    )


def _due(con: duckdb.DuckDBPyConnection) -> list[tuple[str, int]]:
    """Captures of which the derived tables do not know all, with how many records they have."""
    return con.execute(
        "SELECT capture_id, records_loaded FROM ingested WHERE analyzed_records < records_loaded ORDER BY capture_id"
    ).fetchall()


def _models(con: duckdb.DuckDBPyConnection) -> str:
    row = con.execute("SELECT models_hash FROM meta").fetchone()
    return str(row[0]) if row else ""


def _stale(con: duckdb.DuckDBPyConnection, db: Path) -> bool:
    """Whether a refresh has anything to do."""
    return bool(_models(con) != fingerprint() or _due(con) or ingest.pending(con, journals_dir(db)))


@cache
def fingerprint() -> str:
    """Of everything that derived tables are made by: SQL files, settings, and the code of analysis and rules."""
    from auditor.analysis.settings import in_force

    digest = hashlib.sha256(f"{__version__} {in_force()}".encode())
    package = Path(__file__).parent
    sql = [p for kind in ("models", "facts", "rules") for p in (queries.root() / kind).glob("*.sql")]
    code = [p for part in ("analysis", "attribution", "rules") for p in (package / part).rglob("*.py")]
    for path in (*sorted(sql), *sorted(code), package / "store" / "derived.sql"):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def reading(db: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only connection that can reach nothing but the database, after a refresh where one is due.

    Raises:
        StoreError: when nothing was ever recorded, or the database cannot be had.
    """
    wait_for_recorders(str(journals_dir(db)), database.lock_timeout_s())
    if not db.exists() and not journals_dir(db).exists():
        raise StoreError(f"nothing is recorded yet in {db}; run `auditor record -- CMD`, or name a database with --db")
    con = database.connect(db, read_only=True) if db.exists() else None
    if con is None or _stale(con, db):
        if con is not None:
            con.close()
        private_dir(db.parent)
        refresh(db)
        con = database.connect(db, read_only=True)
    try:
        yield con
    finally:
        con.close()


def main() -> None:
    """What a recorder starts when it has sealed: quiet, and content to leave the journal for the next reader.

    Nobody waits for it, so it is more patient than a command, unless it is told how patient to be. It lets a moment
    pass first: several captures that end together are loaded as one, and what somebody removes at the end of a
    session, a test's folder, is not made again.
    """
    db = Path(sys.argv[1])
    time.sleep(_SETTLE_S)
    if not journals_dir(db).exists():
        return
    try:
        refresh(db, patience_s=None if "AUDITOR_LOCK_TIMEOUT" in os.environ else _PATIENCE_S)
    except AuditorError:
        sys.exit(0)


if __name__ == "__main__":
    main()
