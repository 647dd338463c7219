"""The database opens, or says in one sentence why not."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from auditor.errors import StoreError
from auditor.store import database, ddl, migrate

HOLD = """
import sys, duckdb
con = duckdb.connect(sys.argv[1])
print("held", flush=True)
sys.stdin.read(1)
"""

WAIT = """
import sys, pathlib
from auditor.store.database import connect
print("waiting", flush=True)
connect(pathlib.Path(sys.argv[1]), read_only=True, timeout_s=30)
print("got it")
"""


def test_every_table_and_column_says_what_it_is(tmp_path: Path) -> None:
    with database.connect(tmp_path / "a.duckdb") as con:
        columns = con.execute(
            "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
        tables = con.execute("SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal").fetchall()
    assert {(t, c): text for t, c, text in columns} == {
        (t.name, c.name): c.doc for t in ddl.tables() for c in t.columns
    }
    assert dict(tables) == {t.name: t.doc for t in ddl.tables()}
    assert all(text for _, _, text in columns)


def test_types_and_constraints_are_told_apart() -> None:
    table = {t.name: t for t in ddl.tables()}
    column = {c.name: c for c in table["ingested"].columns}
    assert (column["capture_id"].type, column["capture_id"].nullable) == ("VARCHAR", False)
    assert (column["analyzed_records"].type, column["analyzed_records"].nullable) == ("BIGINT", False)
    assert {c.name: c.type for c in table["calls"].columns}["legs"].startswith("STRUCT(seq BIGINT, ")
    assert not table["messages"].derived
    assert table["findings"].derived


def test_a_column_without_documentation_is_no_definition() -> None:
    with pytest.raises(ValueError, match="table t: the line `a INTEGER` is no documented column"):
        ddl.parse("CREATE TABLE t ( -- it\n    a INTEGER\n);", False)


def test_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    """The WAL included, while it stands there."""
    code = """
import os, sys, pathlib
os.umask(0)
from auditor.files import private_dir
from auditor.store import database
db = pathlib.Path(sys.argv[1])
private_dir(db.parent)
con = database.connect(db)
con.execute("UPDATE meta SET models_hash = 'x'")
for p in (db, db.with_name(db.name + ".wal"), db.parent):
    print(oct(p.stat().st_mode & 0o777))
"""
    db = tmp_path / "new" / "a.duckdb"
    done = subprocess.run([sys.executable, "-c", code, str(db)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0o600", "0o600", "0o700"]
    assert stat.S_IMODE(db.stat().st_mode) == 0o600


def test_what_is_no_database_of_ours_is_refused(tmp_path: Path) -> None:
    junk, lite, foreign, tricky = (tmp_path / name for name in ("junk", "lite", "foreign", "tricky"))
    junk.write_bytes(b"hello\n" * 100)
    with sqlite3.connect(lite) as other:
        other.execute("CREATE TABLE a (b)")
    with duckdb.connect(str(foreign)) as con:
        con.execute("CREATE TABLE a (b INTEGER)")
    with duckdb.connect(str(tricky)) as con:
        con.execute("CREATE TABLE meta (application VARCHAR, schema_version INTEGER)")
        con.execute("INSERT INTO meta VALUES ('other', 1)")
    before = {p: p.read_bytes() for p in (junk, lite, foreign, tricky)}
    for path, said in (
        (junk, "no DuckDB"),
        (lite, "no DuckDB"),
        (foreign, "another program"),
        (tricky, "another program"),
    ):
        for read_only in (True, False):
            with pytest.raises(StoreError, match=said) as refusal:
                database.connect(path, read_only=read_only)
            assert "\n" not in str(refusal.value)
            assert refusal.value.exit_code == 4
    assert {p: p.read_bytes() for p in before} == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["foreign", "junk", "lite", "tricky"]


@pytest.mark.parametrize(("at", "size"), [(4096 * 3, None), (5000, 5000), (0, 0)])
def test_a_damaged_database_is_named(tmp_path: Path, at: int, size: int | None) -> None:
    db = tmp_path / "a.duckdb"
    database.connect(db).close()
    data = bytearray(db.read_bytes())
    if size is None:
        data[at : at + 4096] = b"\xff" * 4096
    else:
        del data[size:]
    db.write_bytes(data)
    with pytest.raises(StoreError) as refusal:
        database.connect(db).execute("SELECT * FROM messages")
    assert str(db) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_log_that_outlived_its_database_is_named(tmp_path: Path) -> None:
    """Who removes a database by hand may leave what was still to be written to it."""
    for name in ("a", "b"):
        database.connect(tmp_path / f"{name}.duckdb").close()
    log = tmp_path / "b.duckdb.wal"
    log.write_bytes(_log_of(tmp_path / "a.duckdb"))
    with pytest.raises(StoreError, match=r"b\.duckdb\.wal belongs to a database that is no longer there; move it away"):
        database.connect(tmp_path / "b.duckdb")
    log.unlink()
    database.connect(tmp_path / "b.duckdb").close()


def _log_of(db: Path) -> bytes:
    """What a writer that is killed leaves beside a database."""
    write = (
        "import os, sys, duckdb; con = duckdb.connect(sys.argv[1]);"
        " con.execute(\"UPDATE meta SET models_hash = 'x'\"); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", write, str(db)], check=True)
    return db.with_name(db.name + ".wal").read_bytes()


def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    with database.connect(db) as con:
        con.execute("UPDATE meta SET schema_version = 99")
    for read_only in (True, False):
        with pytest.raises(StoreError, match="newer auditor"):
            database.connect(db, read_only=read_only)


STEPS = [
    (-1, "ALTER TABLE nowhere ADD COLUMN x INTEGER"),
    (0, "ALTER TABLE ingested ADD COLUMN last_seq BIGINT; UPDATE ingested SET last_seq = records_loaded - 1"),
    (1, "ALTER TABLE ingested ADD COLUMN messages_loaded BIGINT"),
]


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A made-up database of version -1: the ledger lacks two columns, and a derived table is another."""
    db = tmp_path / "a.duckdb"
    with database.connect(db) as con:
        con.execute("ALTER TABLE ingested DROP COLUMN messages_loaded")
        con.execute("ALTER TABLE ingested DROP COLUMN last_seq")
        con.execute("DROP TABLE findings")
        con.execute("CREATE TABLE findings (old INTEGER)")
        con.execute(
            "INSERT INTO ingested (capture_id, journal, bytes_loaded, records_loaded, last_hash, sealed, ingested_at)"
            " VALUES ('one', 'one.ndjson', 9, 5, '', true, now())"
        )
        con.execute("UPDATE meta SET schema_version = -1, models_hash = 'old'")
    return db


def test_an_older_database_is_migrated(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "steps", lambda: STEPS)
    with database.connect(older, read_only=True) as con:
        assert con.execute("SELECT last_seq, messages_loaded FROM ingested").fetchall() == [(4, None)]
        assert con.execute("SELECT schema_version, models_hash FROM meta").fetchall() == [(ddl.VERSION, "")]
        assert con.execute("SELECT rule FROM findings").fetchall() == []
        said = con.execute("SELECT comment FROM duckdb_columns() WHERE column_name = 'last_seq'").fetchall()
    assert (next(c.doc for t in ddl.tables() for c in t.columns if c.name == "last_seq"),) in said


def test_a_migration_that_fails_leaves_everything_as_it_was(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "steps", lambda: [*STEPS[1:2], (1, "ALTER TABLE nowhere ADD COLUMN x INTEGER")])
    with pytest.raises(StoreError, match="cannot be used"):
        database.connect(older)
    with duckdb.connect(str(older)) as con:
        assert con.execute("SELECT schema_version FROM meta").fetchall() == [(-1,)]
        assert [c[0] for c in con.execute("DESCRIBE findings").fetchall()] == ["old"]
        assert "last_seq" not in [c[0] for c in con.execute("DESCRIBE ingested").fetchall()]


def test_a_locked_database_names_who_holds_it(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    database.connect(db).close()
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(db)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdin is not None
    holder.stdout.readline()
    try:
        with pytest.raises(StoreError, match=rf"in use by \S+ \(process {holder.pid}\); close"):
            database.connect(db, timeout_s=0.2)
        waiter = subprocess.Popen(
            [sys.executable, "-c", WAIT, str(db)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert waiter.stdout is not None
        assert waiter.stdout.readline() == "waiting\n"
    finally:
        holder.communicate(b"x")
    assert waiter.communicate()[0] == "got it\n"


def test_a_patience_that_is_no_number_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDITOR_LOCK_TIMEOUT", "long")
    with pytest.raises(StoreError, match="AUDITOR_LOCK_TIMEOUT"):
        database.connect(tmp_path / "a.duckdb")


def test_many_make_one_database(tmp_path: Path) -> None:
    db = tmp_path / "deep" / "a.duckdb"
    db.parent.mkdir()
    code = "import sys,pathlib;from auditor.store.database import connect as c;c(pathlib.Path(sys.argv[1])).close()"
    makers = [subprocess.Popen([sys.executable, "-c", code, str(db)]) for _ in range(6)]
    assert [maker.wait() for maker in makers] == [0] * 6
    assert [p.name for p in db.parent.iterdir()] == ["a.duckdb"]


@pytest.mark.parametrize("statement", [
    "SELECT * FROM read_text('{secret}')", "COPY meta TO '{place}/out.csv'", "ATTACH '{place}/b.duckdb'",
    "SET threads = 1",
    "SET enable_external_access = true", "INSTALL httpfs", "LOAD httpfs", "UPDATE meta SET models_hash = ''",
    "EXPORT DATABASE '{place}/all'", "CREATE TABLE t (a INTEGER)",
])  # fmt: skip
def test_a_reader_reaches_nothing_else(tmp_path: Path, statement: str) -> None:
    db, secret = tmp_path / "a.duckdb", tmp_path / "secret"
    secret.write_text("hidden")
    database.connect(db).close()
    with database.connect(db, read_only=True) as con, pytest.raises(duckdb.Error):
        con.execute(statement.format(secret=secret, place=tmp_path))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.duckdb", "secret"]


def test_a_reader_may_use_temporary_tables(tmp_path: Path) -> None:
    database.connect(tmp_path / "a.duckdb").close()
    with database.connect(tmp_path / "a.duckdb", read_only=True) as con:
        con.execute("CREATE TEMP TABLE t AS SELECT 1 AS a")
        assert con.execute("SELECT a FROM t").fetchall() == [(1,)]


def test_a_missing_database_is_not_made_by_a_reader(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no database"):
        database.connect(tmp_path / "a.duckdb", read_only=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="--db"):
        database.connect(tmp_path / "a.duckdb")
