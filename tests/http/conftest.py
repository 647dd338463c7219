"""Servers and taps as processes of their own."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.errors import StoreError
from auditor.pipeline import reading

from ..e2e.conftest import fastmcp3_python, fastmcp_python, sdk1_python, ts

__all__ = ["fastmcp3_python", "fastmcp_python", "sdk1_python", "ts"]

PROGRAMS = Path(__file__).with_name("programs")
ROOT = PROGRAMS.parents[2]


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Tap:
    """`auditor record --upstream …` as a process; `url` is where clients connect."""

    def __init__(self, db: Path, upstream: str, *options: str) -> None:
        self.db = db
        command = [sys.executable, "-m", "auditor", "record", "--db", str(db), "--upstream", upstream]
        command += ["--listen", "127.0.0.1:0", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"https?://[^;]+", line)
        assert found, line
        self.url = found[0]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it and wait until its recorder has sealed the journal."""
        self.process.send_signal(number)
        code = self.process.wait(10)
        deadline = time.monotonic() + 20
        while '"k":"seal"' not in self.journal().rstrip().rpartition("\n")[2]:
            assert time.monotonic() < deadline, "not sealed"
            time.sleep(0.02)
        return code

    def journal(self) -> str:
        found = list(self.db.with_name(self.db.name + ".journals").glob("*.ndjson"))
        return found[0].read_text() if found else ""

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.journal().split("\n") if line]

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """What the database says of it."""
        for tries in range(5):
            try:
                with reading(self.db) as con:
                    return con.execute(sql).fetchall()
            except StoreError:  # the recorder's own load is under way, on a busy machine for long
                if tries == 4:
                    raise
        raise AssertionError


@pytest.fixture
def tap(tmp_path: Path) -> Iterator[Callable[..., Tap]]:
    """Starts taps; what still runs at the end is killed."""
    taps: list[Tap] = []

    def start(upstream: str, *options: str) -> Tap:
        taps.append(Tap(tmp_path / f"{len(taps)}.duckdb", upstream, *options))
        return taps[-1]

    yield start
    for one in taps:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait(10)


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[..., str]]:
    """Starts servers on a port of their own; gives the origin."""
    running: list[subprocess.Popen[bytes]] = []

    def start(runtime: str, program: str | Path, *args: str) -> str:
        port = free_port()
        process = subprocess.Popen([runtime, str(PROGRAMS / program), str(port), *args])
        running.append(process)
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.05)
            else:
                return f"http://127.0.0.1:{port}"

    yield start
    for process in running:
        process.kill()
        process.wait(10)
