"""From journals to findings, by several processes at once, and by some that are killed."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from auditor import pipeline
from auditor.errors import StoreError
from auditor.files import journals_dir
from auditor.journal.records import link
from auditor.rules import run
from auditor.store import database, ingest, plan
from tests.store.journals import conversation, lines, write

HOLD = "import sys, duckdb; con = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read(1)"


def start(db: Path) -> "subprocess.Popen[bytes]":
    """What a recorder starts when its capture ends."""
    return subprocess.Popen([sys.executable, "-m", "auditor.pipeline", str(db)], stderr=subprocess.PIPE)


def messages(db: Path) -> int:
    """How many messages any other program finds in the database."""
    with duckdb.connect(str(db), read_only=True) as con:
        return int(con.execute("SELECT count(*) FROM messages").fetchall()[0][0])


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store" / "a.duckdb"


@pytest.fixture
def without_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of something else: all the rules take a second a refresh."""
    monkeypatch.setattr(run, "run_rules", lambda con: None)


def test_reading_refreshes_first(db: Path, without_rules: None) -> None:
    whole = lines("one", conversation())
    write(journals_dir(db), "one", whole[:6])
    with pipeline.reading(db) as con:
        assert con.execute("SELECT count(*) FROM messages").fetchall() == [(5,)]
        assert con.execute("SELECT sum(messages)::INTEGER FROM sessions").fetchall() == [(5,)]
    write(journals_dir(db), "one", whole)
    with pipeline.reading(db) as con:
        assert con.execute("SELECT sum(messages)::INTEGER FROM sessions").fetchall() == [(7,)]
        assert con.execute("SELECT count(*) FROM calls").fetchall() == [(2,)]
        assert con.execute("SELECT analyzed_records = records_loaded FROM ingested").fetchall() == [(True,)]


def test_reading_what_is_up_to_date_writes_nothing(db: Path, without_rules: None) -> None:
    """So it works while another process reads, for however long."""
    write(journals_dir(db), "one", lines("one", conversation()))
    pipeline.refresh(db)
    before = db.stat().st_mtime_ns
    with pipeline.reading(db), pipeline.reading(db) as con:
        assert con.execute("SELECT count(*) FROM messages").fetchall() == [(7,)]
    assert db.stat().st_mtime_ns == before


def test_nothing_recorded_is_said(db: Path) -> None:
    with pytest.raises(StoreError, match="nothing is recorded yet"), pipeline.reading(db):
        pass
    assert not db.parent.exists()


def test_changed_models_derive_everything_anew(db: Path, monkeypatch: pytest.MonkeyPatch, without_rules: None) -> None:
    write(journals_dir(db), "one", lines("one", conversation()))
    pipeline.refresh(db)
    with database.connect(db) as con:
        con.execute("DELETE FROM calls")
    with pipeline.reading(db) as con:
        assert con.execute("SELECT count(*) FROM calls").fetchall() == [(0,)]
    monkeypatch.setattr(pipeline, "fingerprint", lambda: "another")
    with pipeline.reading(db) as con:
        assert con.execute("SELECT count(*) FROM calls").fetchall() == [(2,)]


def test_ten_recorders_that_end_at_once(db: Path) -> None:
    for n in range(10):
        write(journals_dir(db), f"c{n}", lines(f"c{n}", conversation(20)))
    recorders = [start(db) for _ in range(10)]
    assert [(recorder.communicate()[1], recorder.returncode) for recorder in recorders] == [(b"", 0)] * 10
    assert messages(db) == 10 * 43
    with duckdb.connect(str(db), read_only=True) as con:
        assert con.execute("SELECT count(*), bool_and(sealed) FROM captures").fetchall() == [(10, True)]
        assert con.execute("SELECT count(*) FROM calls").fetchall() == [(200,)]


def test_a_recorder_leaves_its_journal_to_the_next(
    db: Path, monkeypatch: pytest.MonkeyPatch, without_rules: None
) -> None:
    """While another program holds the database: the recorder is quiet, a reader says so, and nothing is lost."""
    write(journals_dir(db), "one", lines("one", conversation()))
    pipeline.refresh(db)
    write(journals_dir(db), "two", lines("two", conversation()))
    monkeypatch.setenv("AUDITOR_LOCK_TIMEOUT", "0.3")
    command = [sys.executable, "-c", HOLD, str(db)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        recorder = start(db)
        assert (recorder.communicate()[1], recorder.returncode) == (b"", 0)
        with pytest.raises(StoreError, match="in use by"), pipeline.reading(db):
            pass
        holder.communicate(b"x")
    with pipeline.reading(db) as con:
        assert con.execute("SELECT count(*) FROM messages").fetchall() == [(14,)]


FORGED = [
    lambda line: line.replace(b'"dir":"c2s"', b'"dir":"up"'),
    lambda line: line.replace(b'"kind":"request"', b'"kind":"prayer"'),
    lambda line: line.replace(b'"bytes":', b'"bytes":99999999999999999999'),
    lambda line: line.replace(b'"bytes":', b'"bytes":{},"x":'),
    lambda line: line.replace(b'"env":{', b'"env":[],"x":{'),
    lambda line: line.replace(b'"raw":"', b'"raw":"\xff\xfe'),
    lambda line: line.replace(b'"raw":"', b'"raw":"\\ud800'),
    lambda line: line.replace(b'"raw":"{', b'"raw":"'),
    lambda line: line.replace(b'"ts_ns":', b'"ts_ns":-99999999999999999999'),
]


def test_a_forged_record_with_a_true_link_keeps_nothing_out(db: Path, without_rules: None) -> None:
    """The chain has no secret, so anyone can write one; what the database refuses is then read with care."""
    for number, forge in enumerate(FORGED):
        out, previous = [], ""
        for n, line in enumerate(lines(f"bad{number}", conversation())):
            body = forge(line[:-73]) if n == 4 else line[:-73]
            previous = link(previous, body)
            out.append(body + b',"h":"' + previous.encode() + b'"}\n')
        write(journals_dir(db), f"bad{number}", out)
    write(journals_dir(db), "good", lines("good", conversation()))
    with pipeline.reading(db) as con:
        count = dict(con.execute("SELECT capture_id, count(*) FROM messages GROUP BY ALL").fetchall())
        said = dict(con.execute("SELECT capture_id, problem FROM ingested").fetchall())
    assert (count.pop("good"), said.pop("good")) == (7, None)
    assert len(count) == len(FORGED)
    for capture, messages in count.items():
        assert messages == 7 or (messages == 6 and "record 4 cannot be read" in said[capture])


@pytest.mark.torture
@pytest.mark.parametrize("moment", ["lock", "spool", "wal"])
def test_killed_in_the_middle_nothing_is_lost(db: Path, moment: str, without_rules: None) -> None:
    """SIGKILL when the lock, the spool, or the write-ahead log has appeared: the next refresh completes the store."""
    folder = journals_dir(db)
    for n in range(8):
        write(folder, f"c{n:02}", lines(f"c{n:02}", conversation(200)))
    sign = {
        "lock": db.with_name(db.name + ".lock"), "spool": folder.with_name(folder.name + ".spool"),
        "wal": db.with_name(db.name + ".wal"),
    }[moment]  # fmt: skip
    victim = start(db)
    while victim.poll() is None and not sign.exists():
        time.sleep(0.001)
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    pipeline.refresh(db)
    assert messages(db) == 8 * 403
    with duckdb.connect(str(db), read_only=True) as con:
        assert con.execute("SELECT count(DISTINCT (capture_id, seq)) FROM messages").fetchall() == [(8 * 403,)]
        assert con.execute("SELECT count(*) FROM calls").fetchall() == [(8 * 200,)]
    assert not list(db.parent.glob("*.spool"))


def test_everything_in_the_folder_is_private(db: Path) -> None:
    old = os.umask(0)
    try:
        write(journals_dir(db), "one", lines("one", conversation()))
        done = start(db)
        done.communicate()
    finally:
        os.umask(old)
    made = [p for p in db.parent.iterdir() if p != journals_dir(db)]
    assert {p.name for p in made} == {"a.duckdb", "a.duckdb.lock"}
    assert {stat.S_IMODE(p.stat().st_mode) for p in made} == {0o600}


def test_one_hostile_capture_keeps_no_other_out(db: Path, monkeypatch: pytest.MonkeyPatch, without_rules: None) -> None:
    """Should the models not take a capture's data, the others are derived, and the ledger names the one."""
    from auditor.analysis import build

    def analyze(con: duckdb.DuckDBPyConnection, captures: list[str]) -> None:
        if "c2" in captures:
            con.execute("SELECT CAST('x' AS INTEGER)")
        whole(con, captures)

    whole = build.analyze
    monkeypatch.setattr(build, "analyze", analyze)
    for n in range(5):
        write(journals_dir(db), f"c{n}", lines(f"c{n}", conversation()))
    with pipeline.reading(db) as con:
        assert con.execute("SELECT count(*) FROM messages").fetchall() == [(35,)]
        assert con.execute("SELECT DISTINCT capture_id FROM calls ORDER BY 1").fetchall() == [
            ("c0",), ("c1",), ("c3",), ("c4",),
        ]  # fmt: skip
        named = con.execute("SELECT capture_id, problem FROM ingested WHERE problem IS NOT NULL").fetchall()
    assert [capture for capture, _ in named] == ["c2"]
    assert "cannot be analyzed" in named[0][1]


def test_batches_read_ahead_by_other_processes_give_what_one_gives(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_rules: None
) -> None:
    """One of them is hostile: the database refuses a kind that is none, and that journal is read again with care."""
    for n in range(6):
        whole = lines(f"c{n}", conversation(40))
        if n == 3:
            whole[4] = whole[4].replace(b'"kind":"request"', b'"kind":"bogus"')
            whole = relinked(whole)
        write(journals_dir(db), f"c{n}", whole)
    other = tmp_path / "other" / "a.duckdb"
    shutil.copytree(journals_dir(db), journals_dir(other))
    pipeline.refresh(other)
    monkeypatch.setattr(pipeline, "_BATCH_BYTES", 2 * len(b"".join(whole)))
    monkeypatch.setattr(plan, "JOB_BYTES", 3000)
    monkeypatch.setattr(ingest, "ALONE_BYTES", 0)
    pipeline.refresh(db)
    assert dump(db) == dump(other)
    with duckdb.connect(str(db), read_only=True) as con:
        (said,) = con.execute("SELECT capture_id, problem FROM ingested WHERE problem IS NOT NULL").fetchall()
    assert said[0] == "c3"
    assert said[1].startswith("record 4 cannot be read")


def relinked(whole: list[bytes]) -> list[bytes]:
    """The same lines with hashes that are right."""
    out, previous = [], ""
    for line in whole:
        previous = link(previous, line[:-73])
        out.append(line[:-73] + b',"h":"' + previous.encode() + b'"}\n')
    return out


def dump(db: Path) -> list[object]:
    with duckdb.connect(str(db), read_only=True) as con:
        return [
            con.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall()  # noqa: S608
            for table in ("messages", "events", "oddities", "captures", "sessions", "exchanges", "calls")
        ] + [con.execute("SELECT * EXCLUDE (ingested_at) FROM ingested ORDER BY ALL").fetchall()]
