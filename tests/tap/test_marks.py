"""Whoever reads right after a session, or amid one, finds it: readers wait for recorders, and not for nobody."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from auditor.capture.mark import ENDING, LIVE, Mark, wait_for_recorders
from auditor.files import journals_dir

from .processes import PYTHON, alive, kill, read_line, recorder_of, run, sealed, spawn, tap, wait_for

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
CAT = ("cat",)


def marks(db: Path) -> list[str]:
    return sorted(p.suffix for p in journals_dir(db).glob("*") if p.suffix in (LIVE, ENDING))


def messages(db: Path) -> int:
    """What `auditor sessions` counts, whatever is still to be loaded."""
    command = [PYTHON, "-m", "auditor", "sessions", "--db", str(db), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return sum(row["messages"] for row in json.loads(done.stdout))


@pytest.mark.parametrize("count", [1, 2000])
def test_a_session_that_has_just_ended_is_there_whole(count: int, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    assert run(tap(db, *CAT), PING * count).returncode == 0
    assert messages(db) == 2 * count
    assert marks(db) == []


def test_a_session_that_has_just_begun_is_there(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *CAT))
    assert peer.stdin and peer.stdout
    os.write(peer.stdin.fileno(), PING)
    assert read_line(peer.stdout.fileno()) == PING
    wait_for(lambda: messages(db) == 2, "the running session")
    assert marks(db) == [LIVE]
    peer.communicate(timeout=20)
    assert messages(db) == 2
    assert marks(db) == []


@pytest.mark.parametrize("victim", ["pump", "recorder"])
def test_a_killed_process_leaves_no_mark(victim: str, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *CAT))
    assert peer.stdin and peer.stdout
    os.write(peer.stdin.fileno(), PING)
    assert read_line(peer.stdout.fileno()) == PING
    pid = peer.pid if victim == "pump" else wait_for(lambda: recorder_of(peer.pid), "a recorder")
    kill(pid, signal.SIGKILL)
    wait_for(lambda: not alive(pid), "its end")
    peer.communicate(timeout=20)
    sealed(db)
    wait_for(lambda: marks(db) == [], "the mark to go")
    assert messages(db) == 2


def test_marks_that_nobody_holds_are_removed_and_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "a.duckdb.journals"
    folder.mkdir()
    for name in ("one.live", "two.ending"):
        (folder / name).touch()
    began = time.monotonic()
    wait_for_recorders(str(folder), 60)
    assert time.monotonic() - began < 30
    assert list(folder.iterdir()) == []


def test_patience_ends(tmp_path: Path) -> None:
    mark = Mark(str(tmp_path / "a.duckdb"), "one")
    wait_for_recorders(str(tmp_path / "a.duckdb.journals"), 0)  # begun, and no journal yet: not for ever
    mark.ending()
    wait_for_recorders(str(tmp_path / "a.duckdb.journals"), 0)
    assert [p.name for p in (tmp_path / "a.duckdb.journals").iterdir()] == ["one.ending"]
    mark.leave()
    wait_for_recorders(str(tmp_path / "a.duckdb.journals"), 0)
    assert list((tmp_path / "a.duckdb.journals").iterdir()) == []


def test_where_no_mark_can_be_made_the_session_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a.duckdb.journals").write_text("in the way")
    done = run(tap(tmp_path / "a.duckdb", *CAT), PING)
    assert (done.returncode, done.stdout) == (0, PING)
    mark = Mark(str(tmp_path / "a.duckdb"), "one")
    assert mark.fd == -1
    mark.ending()
    mark.leave()
