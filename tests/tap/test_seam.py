"""Where systems differ: what is done where Linux's own means are missing. Run on Linux, with those means taken away."""

import os
import shutil
import signal
import sys
from pathlib import Path

import platformdirs
import pytest

from auditor.files import default_db
from auditor.tap import platform
from auditor.tap.control import SIZE, Control
from auditor.tap.place import Place
from auditor.tap.platform import memory
from auditor.tap.spool import C2S, DATA, Reader, Spool

from .processes import PYTHON, events, kill, read_line, recorded, recorder_of, run, script, spawn, texts, wait_for


def _spool(cap: int = 1 << 20) -> tuple[Spool, Reader]:
    fd, control_fd = memory("spool"), memory("control")
    os.ftruncate(control_fd, SIZE)
    return Spool(fd, Control(control_fd), cap), Reader(fd)


@pytest.mark.parametrize("memfd", [True, False])
def test_the_spool_is_memory_or_a_file_that_has_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memfd: bool
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if not memfd:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    spool, reader = _spool()
    for n in range(3):
        spool.put(DATA, C2S, b"x" * n * 5000)
    assert [len(piece[4]) for piece in reader.pieces(100)] == [0]
    assert [len(piece[4]) for piece in reader.pieces(1 << 20)] == [5000, 10000]
    assert list(tmp_path.iterdir()) == []
    if not memfd:
        assert os.fstat(spool.fd).st_mode & 0o777 == 0o600
        assert os.fstat(spool.fd).st_nlink == 0


def test_a_command_is_found_by_its_full_name_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", {"npx": r"C:\node\npx.cmd"}.get)
    assert platform.resolve(["npx", "-y"]) == ["npx", "-y"]
    with monkeypatch.context() as m:
        m.setattr(os, "name", "nt")
        assert platform.resolve(["npx", "-y"]) == [r"C:\node\npx.cmd", "-y"]
        assert platform.resolve(["missing"]) == ["missing"]


def test_what_only_linux_has_is_left_out_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    platform.die_with_parent(-1)  # would end this process on Linux, whose parent is another
    platform.give_back(-1, 0, 4096)
    platform.widen(-1)


def test_only_signals_that_exist_are_forwarded() -> None:
    assert {int(signal.SIGINT), int(signal.SIGTERM)} <= set(platform.FORWARDED)
    assert signal.SIGKILL not in platform.FORWARDED


def test_a_place_that_was_half_written_leaves_the_one_before() -> None:
    fd = memory("control")
    os.ftruncate(fd, SIZE)
    control = Control(fd)
    assert control.place() == Place()
    first, second = Place(10, 2, ((5, 1), (-1, 0), (-1, 0))), Place(20, 4)
    control.keep(first)
    before = os.pread(fd, 256, 0)
    control.keep(second)
    assert Control(fd).place() == second
    os.pwrite(fd, before, 0)  # as if the recorder had been killed before it named the new slot
    assert Control(fd).place() == first


def test_at_the_cap_a_gap_stands_where_pieces_are_missing() -> None:
    spool, reader = _spool(cap=1000)
    spool.put(DATA, C2S, b"a" * 900)
    spool.put(DATA, C2S, b"b" * 900)
    assert spool.lost_bytes == 900
    spool.put(DATA, C2S, b"c")
    assert [piece[4] for piece in reader.pieces(1 << 20)] == [b"a" * 900, b"900", b"c"]


POOR = """
import os, select, sys
for module, names in ((os, "fork posix_spawn memfd_create pread writev"), (select, "poll epoll")):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
sys.modules["fcntl"] = None
"""
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def _poor_tap(db: Path, *server: str) -> list[str]:
    """A tap, and recorders, without what Windows lacks."""
    recorder = POOR + "from auditor.tap.boot import main; main()"
    code = f"from auditor.tap import launch\nlaunch._COMMAND = [sys.executable, '-c', {recorder!r}]\n"
    code += "from auditor.tap.command import record_main\nsys.exit(record_main(sys.argv[1:]))"
    return [PYTHON, "-c", POOR + code, "--db", str(db), "--", *server]


def test_a_session_without_fork_and_what_else_windows_lacks(tmp_path: Path) -> None:
    large = b'{"jsonrpc":"2.0","id":2,"result":{"text":"' + b"x" * 300_000 + b'"}}\n'
    server = script("while d := os.read(0, 1 << 16): os.write(1, d)\nos.write(2, b'bye\\n')\nsys.exit(3)")
    done = run(_poor_tap(tmp_path / "a.duckdb", *server), PING + large + PING)
    assert (done.returncode, done.stdout, done.stderr) == (3, PING + large + PING, b"bye\n")
    found = recorded(tmp_path / "a.duckdb")
    assert texts(found, "c2s") == texts(found, "s2c") == [line.decode() for line in (PING + large + PING).splitlines()]
    assert [event.rc for event in events(found, "exit")] == [3]


def test_without_fork_a_command_that_is_missing_is_said_and_recorded(tmp_path: Path) -> None:
    done = run(_poor_tap(tmp_path / "a.duckdb", "there-is-no-such-command"))
    assert (done.returncode, done.stderr.count(b"\n")) == (127, 1)
    assert [event.rc for event in events(recorded(tmp_path / "a.duckdb"), "exit")] == [127]


def test_without_fork_a_dead_recorder_is_replaced_and_a_signal_passed_on(tmp_path: Path) -> None:
    server = script(
        "signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b'no\\n'), os._exit(4)))\n"
        "while d := os.read(0, 1 << 16): os.write(1, d)"
    )
    peer = spawn(_poor_tap(tmp_path / "a.duckdb", *server))
    assert peer.stdin and peer.stdout
    os.write(peer.stdin.fileno(), PING)
    assert read_line(peer.stdout.fileno()) == PING
    old = wait_for(lambda: recorder_of(peer.pid), "a recorder")
    kill(old)
    wait_for(lambda: recorder_of(peer.pid) not in (None, old), "another recorder")
    os.write(peer.stdin.fileno(), PING)
    assert read_line(peer.stdout.fileno()) == PING
    peer.terminate()
    assert peer.wait(20) == 4
    assert peer.stdout.read() == b"no\n"
    peer.communicate()
    assert texts(recorded(tmp_path / "a.duckdb"), "s2c") == [PING[:-1].decode()] * 2


def test_signals_for_the_server_become_the_one_that_windows_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append((pid, number)))
    platform.send(7, signal.SIGTERM)
    monkeypatch.setattr(platform.signal, "CTRL_BREAK_EVENT", 1, raising=False)
    with monkeypatch.context() as m:
        m.setattr(os, "name", "nt")
        platform.send(7, signal.SIGTERM)
        platform.send(7, platform.KILL)
    assert sent == [(7, signal.SIGTERM), (7, 1), (7, platform.KILL)]


@pytest.mark.parametrize("environment", [{"HOME": "/home/x"}, {"XDG_DATA_HOME": "/data"}, {"XDG_DATA_HOME": ""}, {}])
def test_the_usual_place_is_that_of_the_platform(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AUDITOR_DB", "HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert default_db() == Path(platformdirs.user_data_dir("auditor", appauthor=False)) / "audit.duckdb"
