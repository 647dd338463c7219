"""Opening the database.

Rules. A database comes into being whole: it is made under another name, and takes its own when its tables stand.
Whoever opens it makes private files only, so the process keeps the umask 077 from then on (DuckDB makes its `.wal`
and its spill files when it likes). No extension is fetched, and a reader reaches nothing but the database.
"""

import os
import re
import time
from pathlib import Path

import duckdb

from auditor.errors import StoreError
from auditor.files import FILE_MODE
from auditor.store import ddl, migrate

_RETRY_S = 0.02
_Config = dict[str, str | bool | int | float | list[str]]
_CONFIG: _Config = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
_HARDENED: _Config = {"enable_external_access": "false", "lock_configuration": "true"}


def lock_timeout_s() -> float:
    """How long to wait for another process: `$AUDITOR_LOCK_TIMEOUT` seconds, else 10."""
    try:
        return max(0.0, float(os.environ.get("AUDITOR_LOCK_TIMEOUT", "10")))
    except ValueError:
        raise StoreError("AUDITOR_LOCK_TIMEOUT is no number of seconds; set it to one, as 10") from None


def connect(db: Path, *, read_only: bool = False, timeout_s: float | None = None) -> duckdb.DuckDBPyConnection:
    """Open the database, making (in a folder that is there) or migrating it when it is opened to write.

    A read-only connection can reach no file, no network and no setting. `timeout_s` bounds the wait for a process
    that holds the database; None takes `lock_timeout_s()`.

    Raises:
        StoreError: it is missing (to a reader), foreign, damaged, newer, locked for too long, or not writable.
    """
    os.umask(0o077)
    deadline = time.monotonic() + (lock_timeout_s() if timeout_s is None else timeout_s)
    if not db.exists():
        if read_only:
            raise StoreError(f"there is no database {db}; record something first, or name another with --db")
        _create(db)
    _check_magic(db)
    con = _open(db, read_only, deadline)
    try:
        version = _version(con, db)
        if version == ddl.VERSION:
            return con
        if version > ddl.VERSION:
            raise StoreError(f"{db} was written by a newer auditor (schema {version}, this one knows {ddl.VERSION});"
                             " update auditor, or name another database with --db")  # fmt: skip
        if not read_only:
            migrate.migrate(con, version, migrate.steps())
            return con
    except duckdb.Error as e:
        con.close()
        raise StoreError(f"{db} cannot be used: {first_line(e)}") from e
    except BaseException:
        con.close()
        raise
    con.close()
    connect(db, timeout_s=timeout_s).close()
    return connect(db, read_only=True, timeout_s=timeout_s)


def _create(db: Path) -> None:
    new = db.with_name(f"{db.name}.new-{os.getpid()}")
    try:
        con = duckdb.connect(str(new), config=_CONFIG)
        try:
            con.execute("BEGIN")
            ddl.create(con)
            con.execute("INSERT INTO meta VALUES (?, ?, now() AT TIME ZONE 'UTC', '')", [ddl.APPLICATION, ddl.VERSION])
            con.execute("COMMIT")
        finally:
            con.close()
        new.chmod(FILE_MODE)
        _take_name(new, db)
    except (duckdb.Error, OSError) as e:
        raise StoreError(f"cannot make the database {db}: {first_line(e)}; name another place with --db") from e
    finally:
        new.unlink(missing_ok=True)
        Path(f"{new}.wal").unlink(missing_ok=True)


def _take_name(new: Path, db: Path) -> None:
    """Give a finished database its name, unless another process was faster; nothing is ever overwritten."""
    try:
        os.link(new, db)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not db.exists():
            new.rename(db)


def _check_magic(db: Path) -> None:
    try:
        with db.open("rb") as f:
            head = f.read(12)
    except OSError as e:
        raise StoreError(f"{db} cannot be read: {e.strerror}; name another database with --db") from e
    if head[8:12] != b"DUCK":
        raise StoreError(f"{db} is no DuckDB database; name another file with --db")


def _open(db: Path, read_only: bool, deadline: float) -> duckdb.DuckDBPyConnection:
    config: _Config = {**_CONFIG, **_HARDENED} if read_only else {**_CONFIG, **_limits()}
    while True:
        try:
            return duckdb.connect(str(db), read_only=read_only, config=config)
        except duckdb.Error as e:
            text = str(e)
            if "WAL does not match" in text:
                raise StoreError(
                    f"{db}.wal belongs to a database that is no longer there; move it away, and all is read from the"
                    " journals again"
                ) from e
            if not _is_lock(text):
                raise StoreError(f"{db} cannot be opened: {first_line(e)}") from e
            if time.monotonic() >= deadline:
                raise StoreError(f"{db} is in use by {_holder(text)}; close that program and try again") from e
        time.sleep(_RETRY_S)


def _is_lock(text: str) -> bool:
    return "Could not set lock" in text or "being used by another process" in text


def _holder(text: str) -> str:
    m = re.search(r"held in (\S+) \(PID (\d+)\)", text)
    return f"{Path(m[1]).name} (process {m[2]})" if m else "another process"


def _limits() -> _Config:
    """Memory for a writer: half of the machine's, 1 GB at most (Python's comes on top); more spills to `<db>.tmp`.

    A checkpoint costs more the larger the database is; a load of many batches makes one, when it closes, and no more.
    """
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        total = 4 << 30
    return {"memory_limit": f"{min(total // 2, 1000 << 20) >> 20}MiB", "wal_autocheckpoint": "1GiB"}


def _version(con: duckdb.DuckDBPyConnection, db: Path) -> int:
    foreign = StoreError(f"{db} is a database of another program; name another file with --db")
    try:
        rows = con.execute("SELECT application, schema_version FROM meta").fetchall()
    except duckdb.CatalogException as e:
        raise foreign from e
    except duckdb.BinderException as e:
        raise foreign from e
    if len(rows) != 1 or rows[0][0] != ddl.APPLICATION:
        raise foreign
    return int(rows[0][1])


def first_line(e: BaseException) -> str:
    """The first line of an error's text."""
    return (str(e).strip().splitlines() or [type(e).__name__])[0]
