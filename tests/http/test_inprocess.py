"""The tap inside a process, by the examples of its documentation; and messages in the shape of the SDK 1.x."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from pydantic import BaseModel, RootModel

from auditor.tap import Recorder, tapped

from .conftest import ROOT


def messages(db: Path) -> list[dict[str, Any]]:
    """What the one capture of a database holds, once it is sealed."""
    deadline = time.monotonic() + 20
    while True:
        (journal,) = db.with_name(db.name + ".journals").glob("*.ndjson")
        records = [json.loads(line) for line in journal.read_text().split("\n") if line]
        if records and records[-1]["k"] == "seal":
            return [r for r in records if r["k"] == "msg"]
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("program", ["server.py", "fastmcp_server.py"])
def test_the_examples_of_the_documentation(program: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    python = request.getfixturevalue("fastmcp_python") if program.startswith("fastmcp") else sys.executable
    text = (ROOT / "docs" / "http.md").read_text("utf-8")
    for name, code in re.findall(r"```python (\w+\.py)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(code, "utf-8")
    client_db, server_db = tmp_path / "c.duckdb", tmp_path / "s.duckdb"
    server = ["env", f"PYTHONPATH={ROOT}", python, str(tmp_path / program), str(server_db)]
    command = [sys.executable, str(tmp_path / "client.py"), str(client_db), *server]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout) == (0, "QUIETLY\n"), done.stderr
    by_client, by_server = messages(client_db), messages(server_db)
    assert [(m["dir"], m["env"]) for m in by_client] == [(m["dir"], m["env"]) for m in by_server]
    assert {"tools/call"} <= {m["env"].get("method") for m in by_client}


class Ping(BaseModel):
    """A message as the SDK 1.x has it: inside a root model, with None where nothing was given."""

    jsonrpc: str = "2.0"
    id: int = 1
    method: str = "ping"
    params: dict[str, Any] | None = None


def test_messages_of_the_sdk_1(tmp_path: Path) -> None:
    item = SimpleNamespace(message=RootModel[Ping](Ping()))

    async def main() -> None:
        send, receive = anyio.create_memory_object_stream[Any](2)
        with Recorder(tmp_path / "a.duckdb", side="client") as recorder:
            read, write = tapped(receive, send, recorder)
            async with read, write:
                await write.send(item)
                assert await read.receive() is item
                await write.send(ValueError("unreadable"))
                assert isinstance(await read.receive(), ValueError)

    anyio.run(main)
    kept = messages(tmp_path / "a.duckdb")
    assert [(m["dir"], m["raw"]) for m in kept] == [
        (way, '{"jsonrpc":"2.0","id":1,"method":"ping"}') for way in ("c2s", "s2c")
    ]
