"""The end of a session, from every side: exit codes, signals, half-closed streams, and who survives whom."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.journal.records import Oddity
from tests.tap.processes import (
    PYTHON,
    alive,
    descendants,
    events,
    kill,
    read_line,
    recorded,
    recorder_of,
    run,
    script,
    spawn,
    tap,
    texts,
    wait_for,
)

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
ECHO = script("os.write(1, b'%d\\n' % os.getpid())\nwhile d := os.read(0, 65536): os.write(1, d)")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills a server whose tap was killed")


@pytest.mark.parametrize("code", [0, 1, 2, 4, 7, 126, 127, 128, 130, 255])
def test_the_exit_code_is_the_servers(tmp_path: Path, code: int) -> None:
    assert run(tap(tmp_path / "a.duckdb", "sh", "-c", f"exit {code}")).returncode == code
    (event,) = events(recorded(tmp_path / "a.duckdb"), "exit")
    assert (event.rc, event.signal) == (code, None)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGINT, signal.SIGABRT])
def test_death_by_a_signal_is_the_same_death(tmp_path: Path, number: int) -> None:
    done = run(tap(tmp_path / "a.duckdb", "sh", "-c", f"kill -{number} $$"))
    assert done.returncode == -number
    (event,) = events(recorded(tmp_path / "a.duckdb"), "exit")
    assert (event.rc, event.signal) == (None, number)


COUNTS = script(
    "got = []\n"
    "for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(n, lambda s, _: got.append(s))\n"
    "os.write(1, b'ready\\n')\n"
    "while not os.read(0, 100).endswith(b'end\\n'): pass\n"
    "print(*got)"
)


@pytest.mark.parametrize("to_group", [False, True], ids=["to the tap alone", "to the whole group"])
def test_signals_arrive_once(tmp_path: Path, to_group: bool) -> None:
    peer = spawn(tap(tmp_path / "a.duckdb", *COUNTS), start_new_session=True)
    assert peer.stdin and peer.stdout
    assert read_line(peer.stdout.fileno()) == b"ready\n"
    server = int(Path(f"/proc/{peer.pid}/task/{peer.pid}/children").read_text().split()[0])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        (os.killpg if to_group else os.kill)(peer.pid, number)
        wait_for(lambda n=number: _no_signal_waits(peer.pid, server, n), "delivery")  # type: ignore[misc]
    out, _ = peer.communicate(b"end\n", timeout=20)
    assert out.split() == [b"2", b"15", b"1"]
    assert peer.returncode == 0
    recorded(tmp_path / "a.duckdb")


def _no_signal_waits(tap_pid: int, server: int, number: int) -> bool:
    """Whether neither the tap nor the server has this signal pending, twice in a row."""

    def pending(pid: int) -> bool:
        status = Path(f"/proc/{pid}/status").read_text()
        masks = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith(("SigPnd", "ShdPnd"))]
        return any(mask >> (number - 1) & 1 for mask in masks)

    os.kill(server, 0)
    subprocess.run(["sleep", "0.1"], check=True)
    return not pending(tap_pid) and not pending(server)


def test_ignored_signals_stay_ignored(tmp_path: Path) -> None:
    server = script("print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN, signal.getsignal(signal.SIGPIPE))")
    command = tap(tmp_path / "a.duckdb", *server)
    done = run(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command])
    direct = run(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *server])
    assert done.stdout == direct.stdout


def test_stdin_closed_first_and_the_server_answers_after(tmp_path: Path) -> None:
    server = script("data = b''\nwhile d := os.read(0, 999): data += d\nos.write(1, data * 3)\nsys.exit(3)")
    done = run(tap(tmp_path / "a.duckdb", *server), PING)
    assert (done.stdout, done.returncode) == (PING * 3, 3)
    assert len(texts(recorded(tmp_path / "a.duckdb"), "s2c")) == 3


def test_a_server_that_closes_stdout_still_hears(tmp_path: Path) -> None:
    server = script(
        "os.close(1)\nwhile b'x' not in os.read(0, 999): pass\nos.write(2, b'heard')\nsys.exit(9)"
    )  # fmt: skip
    peer = spawn(tap(tmp_path / "a.duckdb", *server))
    assert peer.stdin and peer.stdout and peer.stderr
    assert peer.stdout.read() == b""
    peer.stdin.write(b'"x"\n')
    assert peer.stderr.read() == b"heard"
    assert peer.wait(20) == 9
    peer.communicate()
    recorded(tmp_path / "a.duckdb")


def test_a_server_that_closes_stdin_still_speaks_and_the_client_learns_of_it(tmp_path: Path) -> None:
    server = script("os.close(0)\nos.write(1, b'closed\\n')\ntime.sleep(0.5)\nos.write(1, b'still here\\n')")
    peer = spawn(tap(tmp_path / "a.duckdb", *server))
    assert peer.stdin and peer.stdout
    assert read_line(peer.stdout.fileno()) == b"closed\n"

    def refused() -> bool:
        try:
            os.write(peer.stdin.fileno(), PING)  # type: ignore[union-attr]
        except BrokenPipeError:
            return True
        return False

    wait_for(refused, "a broken pipe")
    assert read_line(peer.stdout.fileno()) == b"still here\n"
    assert peer.wait(20) == 0
    peer.communicate()


def test_a_client_that_closes_its_reading_end_breaks_the_servers_pipe(tmp_path: Path) -> None:
    server = script(
        "signal.signal(signal.SIGPIPE, signal.SIG_DFL)\nwhile True: os.write(1, b'{}\\n'); time.sleep(0.01)"
    )
    peer = spawn(tap(tmp_path / "a.duckdb", *server))
    assert peer.stdout
    read_line(peer.stdout.fileno())
    peer.stdout.close()
    assert peer.wait(20) == -signal.SIGPIPE
    recorded(tmp_path / "a.duckdb")


def test_a_server_that_ends_first_ends_the_session_though_stdin_is_open(tmp_path: Path) -> None:
    peer = spawn(tap(tmp_path / "a.duckdb", *script("os.write(1, b'bye\\n'); sys.exit(6)")))
    assert peer.stdout
    assert peer.stdout.read() == b"bye\n"
    assert peer.wait(20) == 6
    peer.communicate()
    recorded(tmp_path / "a.duckdb")


def test_what_a_client_does_with_a_server_that_ignores_the_end(tmp_path: Path) -> None:
    """Close stdin, wait, SIGTERM, wait, SIGKILL: the record is whole all the same, and no server is left."""
    server = script(
        "signal.signal(signal.SIGTERM, lambda *_: os.write(1, b'no\\n'))\nos.write(1, b'%d\\n' % os.getpid())\n"
        "while True: time.sleep(1)"
    )
    peer = spawn(tap(tmp_path / "a.duckdb", *server))
    assert peer.stdin and peer.stdout
    pid = int(read_line(peer.stdout.fileno()))
    peer.stdin.write(PING)
    peer.stdin.close()
    with pytest.raises(subprocess.TimeoutExpired):
        peer.wait(0.5)
    peer.terminate()
    assert read_line(peer.stdout.fileno()) == b"no\n"
    assert peer.poll() is None
    peer.kill()
    peer.wait()
    found = recorded(tmp_path / "a.duckdb")
    assert texts(found, "c2s") == [PING[:-1].decode()]
    assert not events(found, "exit")
    if sys.platform == "linux":
        wait_for(lambda: not alive(pid), "the server's end")
    kill(pid)
    peer.stdout.close()


def test_a_grandchild_that_keeps_stdout_open_does_not_keep_the_session(tmp_path: Path) -> None:
    server = script(
        "p = subprocess.Popen(['sleep', '60'])\nos.write(1, b'%d\\n' % p.pid)\nsys.exit(2)"
    )  # fmt: skip
    peer = spawn(tap(tmp_path / "a.duckdb", *server))
    assert peer.stdout
    grandchild = int(read_line(peer.stdout.fileno()))
    try:
        assert peer.wait(20) == 2
        recorded(tmp_path / "a.duckdb")
    finally:
        kill(grandchild)
        peer.communicate()


@linux
def test_a_killed_tap_leaves_no_server_and_a_whole_record(tmp_path: Path) -> None:
    peer = spawn(tap(tmp_path / "a.duckdb", *ECHO))
    assert peer.stdin and peer.stdout
    server = int(read_line(peer.stdout.fileno()))
    os.write(peer.stdin.fileno(), PING)
    assert read_line(peer.stdout.fileno()) == PING
    peer.kill()
    wait_for(lambda: not alive(server), "the server's end")
    assert texts(recorded(tmp_path / "a.duckdb"), "s2c") == [PING[:-1].decode()]
    peer.communicate()


@linux
@pytest.mark.parametrize("victim", ["tap", "what becomes the recorder"])
def test_killed_before_there_is_a_recorder(tmp_path: Path, victim: str) -> None:
    peer = spawn(tap(tmp_path / "a.duckdb", *ECHO))
    assert peer.stdin and peer.stdout
    server = int(read_line(peer.stdout.fileno()))
    (holder,) = wait_for(lambda: [pid for pid in descendants(peer.pid) if pid != server], "a second child")
    kill(peer.pid if victim == "tap" else holder)
    if victim != "tap":
        os.write(peer.stdin.fileno(), PING)
        assert read_line(peer.stdout.fileno()) == PING
        wait_for(lambda: not alive(holder), "its end")
    peer.communicate(timeout=20)
    found = recorded(tmp_path / "a.duckdb")
    assert texts(found, "s2c") == ([] if victim == "tap" else [PING[:-1].decode()])
    assert [record.raw for record in found if isinstance(record, Oddity)] == [str(server)]


def test_a_killed_client_ends_the_session(tmp_path: Path) -> None:
    client = script(
        "p = subprocess.Popen(sys.argv[1:], stdin=-1, stdout=-1)\n"
        "print(p.pid, p.stdout.readline().decode(), flush=True)\n"
        "p.stdin.write(b'{}\\n'); p.stdin.flush(); time.sleep(60)",
        *tap(tmp_path / "a.duckdb", *ECHO),
    )
    peer = spawn(client)
    assert peer.stdout
    tap_pid, server = map(int, read_line(peer.stdout.fileno()).split())
    peer.kill()
    peer.communicate()
    wait_for(lambda: not alive(tap_pid) and not alive(server), "the end of both")
    assert len(events(recorded(tmp_path / "a.duckdb"), "exit")) == 1


def test_a_dead_recorder_is_replaced_without_a_double_or_a_hole(tmp_path: Path) -> None:
    peer = spawn(tap(tmp_path / "a.duckdb", *ECHO))
    assert peer.stdin and peer.stdout
    read_line(peer.stdout.fileno())
    wanted = []
    for n in range(60):
        message = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % n
        wanted.append(message[:-1].decode())
        os.write(peer.stdin.fileno(), message[:20])
        if n in (20, 40):
            old = wait_for(lambda: recorder_of(peer.pid), "a recorder")
            kill(old)
            wait_for(lambda was=old: recorder_of(peer.pid) not in (None, was), "another recorder")  # type: ignore[misc]
        os.write(peer.stdin.fileno(), message[20:])
        assert read_line(peer.stdout.fileno()) == message
    _, err = peer.communicate(timeout=20)
    assert (peer.returncode, err) == (0, b"")
    found = recorded(tmp_path / "a.duckdb")
    assert texts(found, "c2s") == wanted
    assert texts(found, "s2c") == wanted


@pytest.mark.parametrize(("name", "code"), [("there-is-no-such-command", 127), ("plain", 126), ("folder", 126)])
def test_a_command_that_cannot_be_run(tmp_path: Path, name: str, code: int) -> None:
    (tmp_path / "plain").write_text("text")
    (tmp_path / "folder").mkdir()
    command = name if code == 127 else str(tmp_path / name)
    done = run(tap(tmp_path / "a.duckdb", command))
    assert (done.returncode, done.stdout) == (code, b"")
    assert command in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    (event,) = events(recorded(tmp_path / "a.duckdb"), "exit")
    assert event.rc == code


def test_a_script_without_an_interpreter_line_is_run_as_a_shell_would(tmp_path: Path) -> None:
    path = tmp_path / "serve"
    path.write_text("echo hello $1\n")
    path.chmod(0o755)
    assert run(tap(tmp_path / "a.duckdb", str(path), "you")).stdout == b"hello you\n"


@pytest.mark.parametrize(
    "words",
    [[], ["--", ""], ["cat"], ["--nope", "--", "cat"], ["--lossless", "--strict", "--", "cat"], ["--spool-cap", "x"]],
)
def test_wrong_usage_is_one_sentence(tmp_path: Path, words: list[str]) -> None:
    done = run([PYTHON, "-m", "auditor", "record", "--db", str(tmp_path / "a.duckdb"), *words])
    assert done.returncode == (127 if words == ["--", ""] else 2)
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1


def test_the_tap_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\nimport auditor.tap.command, auditor.tap.session, auditor.tap.launch\n"
        "heavy = 'duckdb typer polars mcp msgspec asyncio argparse pathlib subprocess threading'\n"
        "bad = set(heavy.split()) & set(sys.modules)\nassert not bad, bad"
    )
    assert run([PYTHON, "-c", code]).returncode == 0
