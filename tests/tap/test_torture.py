"""Kill any of the four processes at a random moment under load: what the client saw stands in the journal, whole."""

import contextlib
import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest

from auditor.journal.records import Message
from tests.tap.processes import (
    descendants,
    journals,
    kill,
    read_line,
    recorder_of,
    records,
    script,
    sealed,
    spawn,
    tap,
    wait_for,
)

pytestmark = pytest.mark.torture
RUNS = 30
SERVER = script(
    "os.write(1, b'%d\\n' % os.getpid())\n"
    "rest = b''\n"
    "while d := os.read(0, 65536):\n"
    "    *lines, rest = (rest + d).split(b'\\n')\n"
    '    for line in lines: os.write(1, line.replace(b\'"method":"ping","params"\', b\'"result"\') + b\'\\n\')\n'
)


class _Load:
    """A client that asks as fast as it can, and remembers what it saw."""

    def __init__(self, stdin: int, stdout: int) -> None:
        self._stdin, self._stdout = stdin, stdout
        self.seen: list[bytes] = []
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._ask, self._hear)]
        for thread in self._threads:
            thread.start()

    def _ask(self) -> None:
        with contextlib.suppress(OSError):
            for n in range(10**6):
                text = "x" * (n * 37 % 900)
                os.write(
                    self._stdin, f'{{"jsonrpc":"2.0","id":{n},"method":"ping","params":{{"t":"{text}"}}}}\n'.encode()
                )

    def _hear(self) -> None:
        rest = b""
        while chunk := os.read(self._stdout, 65536):
            *lines, rest = (rest + chunk).split(b"\n")
            self.seen += lines

    def join(self) -> None:
        for thread in self._threads:
            thread.join(20)
            assert not thread.is_alive()


@pytest.mark.parametrize("run", range(RUNS))
def test_nothing_that_was_seen_is_missing(tmp_path: Path, run: int) -> None:
    rng = random.Random(run)
    victim = ("tap", "recorder", "server", "client")[run % 4]
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *SERVER))
    assert peer.stdin and peer.stdout
    server = int(read_line(peer.stdout.fileno()))
    load = _Load(peer.stdin.fileno(), peer.stdout.fileno())
    wait_for(lambda: journals(db) and len(load.seen) > 50, "some traffic")
    time.sleep(rng.random() * 0.3)
    _kill(victim, peer.pid, server, rng)
    if victim in ("recorder", "client"):
        peer.terminate()
    load.join()
    peer.wait(20)
    peer.communicate()
    found = records(sealed(db)[0])
    held = [r.raw.encode() for r in found if isinstance(r, Message) and r.dir == "s2c" and r.raw is not None]
    assert held[: len(load.seen)] == load.seen
    asked = [r.env.id for r in found if isinstance(r, Message) and r.dir == "c2s"]
    assert asked == [str(n) for n in range(len(asked))]


def _kill(victim: str, tap_pid: int, server: int, rng: random.Random) -> None:
    if victim == "tap":
        kill(tap_pid)
    elif victim == "server":
        kill(server)
    elif victim == "recorder":
        for _ in range(3):
            kill(wait_for(lambda: recorder_of(tap_pid), "a recorder"))
            time.sleep(rng.random() * 0.4)
    else:
        for pid in descendants(tap_pid):
            if pid == server:
                kill(tap_pid, signal.SIGHUP)
