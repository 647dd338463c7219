"""What stands in the journal: on the disk in time, whole whatever passes beside it, and what is missing is said."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.journal.records import Oddity
from auditor.tap.control import FREED, SIZE, Control
from auditor.tap.platform import memory
from auditor.tap.spool import C2S, DATA, GAP, HEADER_BYTES, S2C, Reader, Spool

from .processes import (
    PYTHON,
    events,
    journals,
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
ECHO = script("while d := os.read(0, 65536): os.write(1, d)")


def test_the_journal_is_on_the_disk_while_the_session_lasts(tmp_path: Path) -> None:
    """The recorder of this tap notes how large the journal was each time that it had been brought to the disk."""
    db, log = tmp_path / "a.duckdb", tmp_path / "synced"
    noting = (
        "import os\nsync = os.fdatasync\n"
        "def noted(fd):\n"
        "    size = os.fstat(fd).st_size\n"
        "    sync(fd)\n"
        f"    with open({str(log)!r}, 'a') as f: f.write(f'{{size}}\\n')\n"
        "os.fdatasync = noted\nfrom auditor.tap.boot import main; main()"
    )
    code = f"import sys\nfrom auditor.tap import launch\nlaunch._COMMAND = [sys.executable, '-c', {noting!r}]\n"
    code += "from auditor.tap.command import record_main\nsys.exit(record_main(sys.argv[1:]))"
    peer = spawn([PYTHON, "-c", code, "--db", str(db), "--", *ECHO])
    assert peer.stdin and peer.stdout
    for count in range(1, 4):
        os.write(peer.stdin.fileno(), PING)
        assert read_line(peer.stdout.fileno()) == PING
        written = wait_for(lambda n=count: _size_with(db, 2 * n), "the messages in the journal")  # type: ignore[misc]
        wait_for(lambda n=written: log.exists() and _last(log) >= n, "them on the disk")  # type: ignore[misc]
    assert peer.poll() is None
    peer.communicate(timeout=20)
    recorded(db)


def _size_with(db: Path, count: int) -> int:
    """The journal's size once it holds so many messages."""
    data = b"".join(path.read_bytes() for path in journals(db))
    return len(data) if data.count(b'"k":"msg"') == count else 0


def _last(log: Path) -> int:
    return int((["0", *log.read_text().split("\n")[:-1]])[-1])


def test_a_gap_is_said_by_every_command_that_reads(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *ECHO, options=("--spool-cap", "1")))
    assert peer.stdin and peer.stdout
    os.write(peer.stdin.fileno(), PING)
    read_line(peer.stdout.fileno())
    recorder = wait_for(lambda: recorder_of(peer.pid), "a recorder")
    os.kill(recorder, signal.SIGSTOP)
    for _ in range(60):
        os.write(peer.stdin.fileno(), b"x" * 30_000 + b"\n")
        read = 0
        while read < 30_001:
            read += len(os.read(peer.stdout.fileno(), 1 << 16))
    kill(recorder, signal.SIGCONT)
    peer.communicate(timeout=20)
    assert events(recorded(db), "gap")
    for words, said in _ask(db, [
        "sessions", "calls", "elicitations", "orphans", "findings", "stats", "show", "sql SELECT+1",
        f"report -o {tmp_path / 'report.html'}", "query run record-completeness",
    ]):  # fmt: skip
        assert "auditor: gap: " in said, words


def _ask(db: Path, commands: list[str]) -> Iterator[tuple[str, str]]:
    """What each command says on stderr, all of them in one process."""
    code = (
        "import sys\nfrom auditor.cli.app import run\n"
        "for words in sys.argv[2:]:\n"
        "    argv = [word.replace('+', ' ') for word in words.split()]\n"
        "    if words == 'show': argv.append(session)\n"
        "    code = run([*argv, '--db', sys.argv[1]])\n"
        "    assert code == 0, words\n"
        "    sys.stderr.write('\\0')\n"
        "    if words == 'sessions':\n"
        "        from auditor.pipeline import reading\n"
        "        from pathlib import Path\n"
        "        with reading(Path(sys.argv[1])) as con:\n"
        "            session = con.execute('SELECT session_id FROM sessions').fetchone()[0]\n"
    )
    done = run([PYTHON, "-c", code, str(db), *commands])
    assert done.returncode == 0, done.stderr
    said = done.stderr.decode().split("\0")[:-1]
    assert len(said) == len(commands)
    yield from zip(commands, said, strict=True)


def test_a_line_is_not_torn_by_what_passes_beside_it(tmp_path: Path) -> None:
    """At a cap that all of it passes several times; the line's other half comes last."""
    flood = b'{"jsonrpc":"2.0","method":"m","params":{"t":"' + b"y" * 50_000 + b'"}}\n'
    line = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"t":"' + b"x" * 50_000 + b'"}}\n'
    server = script(
        f"left = {len(line) // 2}\nwhile left: left -= len(os.read(0, left))\n"
        f"flood = {flood[:60]!r} + b'y' * {len(flood) - 64} + {flood[-4:]!r}\n"
        "for _ in range(100):\n"
        "    view = memoryview(flood)\n"
        "    while view: view = view[os.write(1, view):]\n"
        "while os.read(0, 65536): pass"
    )
    peer = spawn(tap(tmp_path / "a.duckdb", *server, options=("--spool-cap", "1", "--lossless")))
    assert peer.stdin and peer.stdout
    os.write(peer.stdin.fileno(), line[: len(line) // 2])
    read = 0
    while read < 100 * len(flood):
        read += len(os.read(peer.stdout.fileno(), 1 << 16))
    peer.stdin.write(line[len(line) // 2 :])
    peer.stdin.flush()
    peer.communicate(timeout=40)
    found = recorded(tmp_path / "a.duckdb")
    assert texts(found, "c2s") == [line[:-1].decode()]
    assert len(texts(found, "s2c")) == 100
    assert not [record for record in found if isinstance(record, Oddity)]
    assert not events(found, "gap")


class Beside:
    """A spool with two writers and a reader that frees what it has read."""

    def __init__(self, cap: int, *, wait: bool = False) -> None:
        self._fd, control_fd = memory("spool"), memory("control")
        os.ftruncate(control_fd, SIZE)
        self._control, self._cap = Control(control_fd), cap
        self.spool = Spool(self._fd, self._control, cap, wait=wait)
        self.got: dict[int, list[bytes]] = {C2S: [], S2C: []}
        self.most = 0

    def write(self, count: int, size: int) -> None:
        """So many pieces from each of two threads, their numbers in front."""

        def put(source: int) -> None:
            for n in range(count):
                self.spool.put(DATA, source, b"%08d" % n + b"x" * (size - 8))

        threads = [threading.Thread(target=put, args=(source,)) for source in (C2S, S2C)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def read(self, writers: threading.Thread) -> None:
        """Take pieces until the writers are done and nothing waits."""
        reader = Reader(self._fd)
        while writers.is_alive() or reader.available():
            self.most = max(self.most, os.fstat(self._fd).st_size - self._control.words[FREED])
            for _, kind, source, _, data in reader.pieces(self._cap // 2):
                assert kind != GAP
                self.got[source].append(data[:8])
            self._control.words[FREED] = reader.offset
            time.sleep(0)


@pytest.mark.parametrize("size", [8, 100])
def test_two_threads_fill_a_spool_to_its_cap_and_not_further(size: int) -> None:
    """They count without a lock; what there is room for is kept, and nothing beyond it."""
    count = 2000
    beside = Beside(2 * count * (size + HEADER_BYTES))
    beside.write(count, size)
    assert beside.spool.lost_bytes == 0
    beside.spool.put(DATA, C2S, b"one more")
    assert beside.spool.lost_bytes == len(b"one more")


def test_two_threads_lose_nothing_at_a_small_cap_that_is_kept() -> None:
    count, size, cap = 5000, 50, 20_000
    beside = Beside(cap, wait=True)
    writers = threading.Thread(target=beside.write, args=(count, size))
    writers.start()
    beside.read(writers)
    assert beside.spool.lost_bytes == 0
    assert beside.got[C2S] == beside.got[S2C] == [b"%08d" % n for n in range(count)]
    assert beside.most <= cap + 2 * (size + HEADER_BYTES)  # a piece of each thread that the other has not counted
