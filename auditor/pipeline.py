"""From journals to findings: what has to happen before anybody reads.

Rules. One process refreshes at a time, under `<db>.lock`; whoever waited looks again, and mostly finds nothing left to
do. A transaction holds the load and all that is derived from it, so a reader sees captures whole. When models or rules
have changed, everything derived is made anew.
"""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import duckdb
import filelock

from auditor import __version__, queries
from auditor.errors import AuditorError, StoreError
from auditor.files import journals_dir, open_private, private_dir
from auditor.store import database, ingest


def refresh(db: Path) -> None:
    """Load what is new from the journals and derive what follows from it.

    Raises:
        StoreError: when another process keeps the database or the lock for too long.
    """
    private_dir(db.parent)
    lock = _lock(db)
    try:
        with lock, database.connect(db) as con:
            if _stale(con, db):
                _refresh(con, db)
    except filelock.Timeout:
        raise StoreError(f"{db} is being refreshed by another process; wait for it and try again") from None


def _lock(db: Path) -> filelock.FileLock:
    path = db.with_name(db.name + ".lock")
    os.close(open_private(path))
    return filelock.FileLock(path, timeout=database.lock_timeout_s(), poll_interval=0.02, mode=0o600)


def _refresh(con: duckdb.DuckDBPyConnection, db: Path) -> None:
    from auditor.analysis.build import analyze
    from auditor.rules.run import run_rules

    con.execute("BEGIN")
    try:
        ingest.ingest(con, journals_dir(db))
        if _models(con) != fingerprint():
            con.execute("UPDATE ingested SET analyzed_records = 0")
            con.execute("UPDATE meta SET models_hash = ?", [fingerprint()])
        due = "SELECT capture_id FROM ingested WHERE analyzed_records < records_loaded ORDER BY capture_id"
        captures = [row[0] for row in con.execute(due).fetchall()]
        if captures:
            analyze(con, captures)
            run_rules(con)
            con.execute("UPDATE ingested SET analyzed_records = records_loaded")
        con.execute("COMMIT")
    except BaseException:
        con.execute("ROLLBACK")
        raise


def _models(con: duckdb.DuckDBPyConnection) -> str:
    row = con.execute("SELECT models_hash FROM meta").fetchone()
    return str(row[0]) if row else ""


def _stale(con: duckdb.DuckDBPyConnection, db: Path) -> bool:
    """Whether a refresh has anything to do."""
    return bool(_models(con) != fingerprint() or ingest.pending(con, journals_dir(db)))


@cache
def fingerprint() -> str:
    """Of everything that derived tables are made by: SQL files, and the code of analysis, attribution and rules."""
    digest = hashlib.sha256(__version__.encode())
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
    if not db.exists() and not journals_dir(db).exists():
        raise StoreError(f"nothing is recorded yet in {db}; run `auditor record -- CMD`, or name a database with --db")
    con = database.connect(db, read_only=True) if db.exists() else None
    if con is None or _stale(con, db):
        if con is not None:
            con.close()
        refresh(db)
        con = database.connect(db, read_only=True)
    try:
        yield con
    finally:
        con.close()


def main() -> None:
    """What a recorder starts when it has sealed: quiet, and content to leave the journal for the next reader."""
    try:
        refresh(Path(sys.argv[1]))
    except AuditorError:
        sys.exit(0)


if __name__ == "__main__":
    main()
