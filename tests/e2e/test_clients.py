"""Clients on real SDKs see through the recorder what they see without it, and the record holds all of it."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from .conftest import HERE, Auditor, recorded

PROGRAMS = HERE / "programs"


def seen(command: list[str]) -> Any:
    """What a client printed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def wait_for(db: Path, query: str, wanted: Any, seconds: float = 20) -> None:
    """Until plain DuckDB, without any command of ours, finds this in the database."""
    deadline, got = time.monotonic() + seconds, None
    while got != wanted and time.monotonic() < deadline:
        try:
            with duckdb.connect(str(db), read_only=True) as con:
                got = con.execute(query).fetchone()
        except duckdb.Error as e:
            got = (str(e),)
        time.sleep(0.05)
    assert got == wanted


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
def test_python_sdk_2(mode: str, db: Path, server: list[str]) -> None:
    client = [sys.executable, str(PROGRAMS / "client2.py"), mode]
    assert seen([*client, *recorded(db, server)]) == seen([*client, *server])
    asked = "SELECT list(outcome ORDER BY seq), bool_and(tier IN ('explicit', 'deduced')) FROM elicitations"
    wait_for(db, asked, (["accept", "decline"], True))


def test_python_sdk_1(sdk1_python: str, db: Path, server: list[str]) -> None:
    client = [sdk1_python, str(PROGRAMS / "client1.py")]
    assert seen([*client, *recorded(db, server)]) == seen([*client, *server])
    wait_for(db, "SELECT list(outcome ORDER BY seq) FROM elicitations", (["accept", "decline"],))


@pytest.mark.node
def test_typescript_sdk_1(ts: Path, db: Path, server: list[str]) -> None:
    client = ["node", str(ts / "client1.mjs")]
    assert seen([*client, *recorded(db, server)]) == seen([*client, *server])
    wait_for(db, "SELECT list(outcome ORDER BY seq) FROM elicitations", (["accept", "decline"],))


@pytest.mark.node
@pytest.mark.parametrize(("mode", "captures"), [("legacy", 1), ("auto", 2)])
def test_typescript_sdk_2(mode: str, captures: int, ts: Path, db: Path, server: list[str]) -> None:
    """In `auto` mode it starts the command twice, once to probe: both are recorded."""
    client = ["node", str(ts / "client2.mjs"), mode]
    assert seen([*client, *recorded(db, server)]) == seen([*client, *server])
    wait_for(db, "SELECT list(outcome ORDER BY seq) FROM elicitations", (["accept", "decline"],))
    wait_for(db, "SELECT count(*) FROM captures", (captures,))


def test_ten_at_once_end_together(db: Path, server: list[str]) -> None:
    """Ten recorders on one database, all ending at once: every message is there, with no command of ours run."""
    command = recorded(db, [sys.executable, "-c", ECHO])
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(10)]
    for process in running:
        assert process.stdin is not None and process.stdout is not None
        for n in range(50):
            process.stdin.write(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % n)
        process.stdin.flush()
        for _ in range(50):
            assert process.stdout.readline()
    for process in running:
        assert process.stdin is not None
        process.stdin.close()
    assert [process.wait(30) for process in running] == [0] * 10
    wait_for(db, "SELECT count(DISTINCT capture_id), count(*) FROM messages", (10, 1000))
    wait_for(db, "SELECT count(*) FROM captures WHERE sealed", (10,))


ECHO = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": {}}), flush=True)
"""


def test_a_running_capture_is_there_for_a_reader(db: Path, auditor: Auditor) -> None:
    command = recorded(db, [sys.executable, "-c", ECHO])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        deadline = time.monotonic() + 10
        rows: list[Any] = []
        while not rows and time.monotonic() < deadline:
            if db.exists() or db.with_name(f"{db.name}.journals").exists():
                rows = json.loads(
                    auditor("sql", "SELECT * FROM messages WHERE kind = 'result'", "--format", "json").stdout
                )
        assert len(rows) == 1
        done = auditor("sessions", "--format", "json")
        assert [s["end_reason"] for s in json.loads(done.stdout)] == ["open"]
        assert "no seal" in done.stderr
        process.stdin.close()
        process.wait(20)
    assert [s["sealed"] for s in json.loads(auditor("sessions", "--format", "json").stdout)] == [True]
