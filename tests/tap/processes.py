"""Real servers behind a real tap: starting them, and waiting for what they leave behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from auditor.files import journals_dir
from auditor.journal.reader import read_journal
from auditor.journal.records import Event, Message, Oddity, Record, Seal

T = TypeVar("T")
DEADLINE_S = 40.0
PYTHON = sys.executable


def wait_for(what: Callable[[], T | None], why: str) -> T:
    """Poll until there is something."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {why}")


def tap(db: Path, *server: str, options: tuple[str, ...] = ()) -> list[str]:
    """The command that records a server."""
    return [PYTHON, "-m", "auditor", "record", "--db", str(db), *options, "--", *server]


def script(code: str, *args: str) -> list[str]:
    """A server in Python."""
    return [PYTHON, "-c", "import os, signal, sys, time, subprocess\n" + code, *args]


def spawn(command: list[str], **options: Any) -> "subprocess.Popen[bytes]":
    """Start a command with pipes."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
    return subprocess.Popen(command, **{**pipes, **options})


def run(command: list[str], data: bytes = b"", **options: Any) -> "subprocess.CompletedProcess[bytes]":
    """Run a command to its end on this input."""
    return subprocess.run(command, input=data, capture_output=True, timeout=DEADLINE_S, check=False, **options)


def read_line(fd: int) -> bytes:
    """One line of a raw descriptor, or what there is before its end."""
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(fd, 1)):
        line += byte
    return line


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in ("Z", "X")


def journals(db: Path) -> list[Path]:
    """The journals beside a database."""
    return sorted(journals_dir(db).glob("*.ndjson"))


def records(path: Path) -> list[Record]:
    """The records of a journal that must be whole, and chained without a break."""
    entries = list(read_journal(path))
    assert not [entry for entry in entries if entry.problem], path.read_bytes()[-2000:]
    found = [entry.record for entry in entries if entry.record is not None]
    assert [record.seq for record in found] == list(range(len(found)))
    return found


def sealed(db: Path, count: int = 1) -> list[Path]:
    """Wait until so many journals are sealed."""

    def look() -> list[Path] | None:
        done = [path for path in journals(db) if b'\n{"k":"seal"' in path.read_bytes()[-2000:]]
        return done if len(done) >= count else None

    return wait_for(look, "a sealed journal")


def recorded(db: Path) -> list[Record]:
    """The records of the one capture, once it is sealed; the seal's counts are right."""
    (path,) = sealed(db)
    found = records(path)
    seal = found[-1]
    assert isinstance(seal, Seal)
    counts = [sum(isinstance(record, kind) for record in found) for kind in (Message, Oddity, Event)]
    assert [seal.messages, seal.oddities, seal.events] == counts
    return found


def texts(found: list[Record], direction: str) -> list[str | None]:
    """What one side said, message by message."""
    return [r.raw for r in found if isinstance(r, Message) and r.dir == direction]


def events(found: list[Record], name: str) -> list[Event]:
    """The events of a name."""
    return [r for r in found if isinstance(r, Event) and r.ev == name]


def descendants(pid: int) -> list[int]:
    """The processes below one, nearest first."""
    below: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, task.read_text().split()):
                below += [child, *descendants(child)]
    return below


def recorder_of(pid: int) -> int | None:
    """The recorder of a running tap."""
    for child in descendants(pid):
        with contextlib.suppress(OSError):
            if b"auditor.tap.boot" in Path(f"/proc/{child}/cmdline").read_bytes():
                return child
    return None


def control_words(pid: int) -> memoryview:
    """What the tap and its recorder tell each other (`auditor.tap.control`), as it is now."""
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        if str(fd.readlink()).startswith("/memfd:control"):
            return memoryview(fd.read_bytes()[:256]).cast("q")
    raise AssertionError("this process is no tap")


def kill(pid: int, number: int = signal.SIGKILL) -> None:
    """Send a signal to what may be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
