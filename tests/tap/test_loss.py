"""What cannot be recorded: the traffic goes on, the loss is counted and said; or it waits; or the session ends."""

import os
import resource
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from auditor.files import journals_dir
from auditor.journal.records import Event, Message, Seal
from auditor.tap.control import TROUBLE
from tests.tap.processes import (
    control_words,
    events,
    journals,
    kill,
    read_line,
    recorded,
    recorder_of,
    records,
    run,
    script,
    sealed,
    spawn,
    tap,
    texts,
    wait_for,
)

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
ECHO = script("while d := os.read(0, 65536): os.write(1, d)")
BIG = b'{"jsonrpc":"2.0","id":%d,"result":{"text":"' + b"x" * 100_000 + b'"}}\n'


def _limited(command: list[str], kilobytes: int) -> list[str]:
    """With a bound on the size of a file: writing more fails, as on a full disk."""
    return ["bash", "-c", f'trap "" XFSZ; ulimit -f {kilobytes}; exec "$@"', "bash", *command]


def test_a_place_that_cannot_be_written_costs_no_traffic_and_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = run(tap(tmp_path / "file" / "a.duckdb", *ECHO), PING)
    assert (done.stdout, done.returncode) == (PING, 0)
    assert done.stderr.count(b"auditor:") == 1


def test_strict_ends_a_session_that_cannot_be_recorded(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    peer = spawn(tap(tmp_path / "file" / "a.duckdb", *ECHO, options=("--strict",)))
    assert peer.wait(20) == 4
    _, err = peer.communicate()
    assert err.count(b"\n") == 1
    assert b"--strict" in err


def test_a_folder_that_vanishes_is_made_again_with_all_that_was_in_it(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *ECHO))
    assert peer.stdin and peer.stdout
    for n in range(20):
        if n == 10:
            wait_for(lambda: journals(db) and journals(db)[0].stat().st_size, "the journal")
            shutil.rmtree(journals_dir(db))
        os.write(peer.stdin.fileno(), PING)
        assert read_line(peer.stdout.fileno()) == PING
    peer.communicate(timeout=20)
    assert peer.returncode == 0
    assert len(texts(recorded(db), "c2s")) == 20


def test_at_the_cap_pieces_are_left_out_counted_and_said(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *ECHO, options=("--spool-cap", "1")))
    assert peer.stdin and peer.stdout and peer.stderr
    os.write(peer.stdin.fileno(), PING)
    read_line(peer.stdout.fileno())
    recorder = wait_for(lambda: recorder_of(peer.pid), "a recorder")
    os.kill(recorder, signal.SIGSTOP)
    sent = 0
    for n in range(30):
        message = BIG % n
        sent += len(message)
        _exchange(peer.stdin.fileno(), peer.stdout.fileno(), message)
    os.kill(recorder, signal.SIGCONT)
    _, err = peer.communicate(timeout=20)
    assert peer.returncode == 0
    assert err.count(b"could not be recorded") == 1
    found = recorded(db)
    gaps = events(found, "gap")
    assert gaps
    lost = sum(gap.lost_bytes or 0 for gap in gaps)
    assert isinstance(found[-1], Seal)
    assert found[-1].lost_bytes == lost
    kept = sum(getattr(r, "bytes", 0) for r in found if not isinstance(r, Event))
    assert kept + lost == 2 * (sent + len(PING))
    assert all(r.raw is None or r.raw.endswith("}}") or r.raw.endswith("}") for r in found if isinstance(r, Message))


def test_lossless_waits_at_the_cap(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    data = b"".join(BIG % n for n in range(100))
    done = run(tap(db, *ECHO, options=("--spool-cap", "1", "--lossless")), data)
    assert (done.stdout, done.stderr, done.returncode) == (data, b"", 0)
    found = recorded(db)
    assert not events(found, "gap")
    assert texts(found, "s2c") == [line.decode() for line in data.splitlines()]


@pytest.mark.skipif(sys.platform != "linux", reason="bounds the files of another process")
def test_a_full_disk_costs_no_traffic_and_nothing_once_there_is_room_again(tmp_path: Path) -> None:
    """Files of the recorder that may not grow stand for the disk."""
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *ECHO))
    assert peer.stdin and peer.stdout
    recorder = wait_for(lambda: recorder_of(peer.pid), "a recorder")
    usual = resource.prlimit(recorder, resource.RLIMIT_FSIZE)
    resource.prlimit(recorder, resource.RLIMIT_FSIZE, (64 << 10, usual[1]))
    for n in range(30):
        _exchange(peer.stdin.fileno(), peer.stdout.fileno(), BIG % n)
    wait_for(lambda: control_words(peer.pid)[TROUBLE], "the recorder to fail")
    resource.prlimit(recorder, resource.RLIMIT_FSIZE, usual)
    wait_for(lambda: not control_words(peer.pid)[TROUBLE], "the recorder to go on")
    _, err = peer.communicate(timeout=20)
    assert (peer.returncode, err) == (0, b"")
    assert texts(recorded(db), "s2c") == [(BIG % n)[:-1].decode() for n in range(30)]


def test_a_spool_that_cannot_grow_costs_no_traffic_and_is_said(tmp_path: Path) -> None:
    """A bound on the size of all files holds for the spool, too, be it a memfd or not."""
    peer = spawn(_limited(tap(tmp_path / "a.duckdb", *ECHO), 64))
    assert peer.stdin and peer.stdout
    for n in range(30):
        _exchange(peer.stdin.fileno(), peer.stdout.fileno(), BIG % n)
    _, err = peer.communicate(timeout=20)
    assert peer.returncode == 0
    assert err.count(b"auditor:") == 1
    assert b"could not be recorded" in err


def _exchange(stdin: int, stdout: int, message: bytes) -> None:
    """Send a message larger than a pipe, and read it back."""
    view, got = memoryview(message), 0
    while got < len(message):
        if view:
            view = view[os.write(stdin, view[:30_000]) :]
        got += len(os.read(stdout, 1 << 20))


@pytest.mark.parametrize("size", [10_000_000])
def test_memory_stays_bounded_with_large_messages(tmp_path: Path, size: int) -> None:
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *ECHO))
    assert peer.stdin and peer.stdout
    message = b'{"jsonrpc":"2.0","id":1,"result":{"text":"' + b"lorem ip" * (size // 8) + b'"}}\n'
    for _ in range(3):
        _exchange(peer.stdin.fileno(), peer.stdout.fileno(), message)
    recorder = wait_for(lambda: recorder_of(peer.pid), "a recorder")
    wait_for(lambda: journals(db) and journals(db)[0].stat().st_size > 5 * size, "the journal")
    peak = {pid: _peak_megabytes(pid) for pid in (peer.pid, recorder)}
    peer.communicate(timeout=20)
    assert len(texts(records(sealed(db)[0]), "c2s")) == 3
    assert peak[peer.pid] < 60, peak
    assert peak[recorder] < 120, peak


def _peak_megabytes(pid: int) -> float:
    """The most memory of its own that a process had at once, in MB: without the pages of the spool that it shares."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return int(fields["VmHWM"].split()[0]) / 1024


def test_a_journal_whose_recorder_was_killed_with_its_tap_is_read_and_has_no_seal(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *ECHO))
    assert peer.stdin and peer.stdout
    os.write(peer.stdin.fileno(), PING)
    read_line(peer.stdout.fileno())
    wait_for(lambda: journals(db) and PING[:-2] in journals(db)[0].read_bytes().replace(b"\\", b""), "the message")
    recorder = wait_for(lambda: recorder_of(peer.pid), "a recorder")
    os.kill(peer.pid, signal.SIGSTOP)
    kill(recorder)
    kill(peer.pid)
    peer.communicate()
    assert not any(isinstance(record, Seal) for record in records(journals(db)[0]))


@pytest.mark.parametrize("wait_s", [0.0, 0.1, 0.3, 0.6, 1.0])
def test_what_is_removed_after_a_session_stays_removed(tmp_path: Path, wait_s: float) -> None:
    """As a test does with its folder: removing it works, and nobody makes it again."""
    folder = tmp_path / "short-lived"
    folder.mkdir()
    db = folder / "a.duckdb"
    data = b"".join(BIG % n for n in range(60))
    assert run(tap(db, *ECHO), data).returncode == 0
    time.sleep(wait_s)
    for _ in range(20):  # a file may be made between a look at a folder and its removal
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
    assert not folder.exists()
    wait_for(lambda: not _at_work(db), "recorder and loading to end")
    assert [p.name for p in folder.rglob("*")] == []
    assert not folder.exists()


def _at_work(db: Path) -> list[int]:
    """Processes that have to do with a database."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            said = (process / "cmdline").read_bytes() + b" ".join(bytes(f.readlink()) for f in process.glob("fd/*"))
        except OSError:
            continue
        if str(db).encode() in said and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found
