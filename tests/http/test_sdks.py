"""Clients and servers on real SDKs see through the tap what they see without it, and each prompt has its call."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import PROGRAMS, Tap

Start = Callable[..., Tap]


def seen(*command: str, cwd: Path | None = None) -> Any:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=cwd)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def server2(serve: Callable[..., str]) -> str:
    return serve(sys.executable, "server2.py") + "/mcp"


@pytest.fixture(scope="module")
def direct(server2: str) -> Any:
    """What a client sees without a tap."""
    return seen(sys.executable, str(PROGRAMS / "client2.py"), server2, "legacy", "cancel")


PROMPTS = """
    SELECT e.kind, e.message, e.tier, e.outcome, c.tool, m.raw
    FROM elicitations e
    LEFT JOIN calls c ON c.capture_id = e.capture_id AND c.seq = e.parent_seq
    LEFT JOIN messages m ON m.capture_id = c.capture_id AND m.seq = c.seq
"""
WAITED = "SELECT outcome FROM calls WHERE tool = 'wait'"


def check_prompts(tap: Tap, tiers: tuple[str, ...] = ("explicit",)) -> None:
    """Each prompt is attributed, in one of these tiers, to the call whose argument it names, or said to be unclear."""
    rows = tap.query(PROMPTS)
    assert sum(row[0] == "elicitation" for row in rows) == 11
    for kind, message, tier, outcome, tool, raw in rows:
        assert tier in tiers, rows
        if tier == "ambiguous":
            continue
        if kind == "elicitation":
            what = message.split()[1].rstrip("?")
            assert tool == "ask" and f'"{what}"' in raw
            assert outcome == ("decline" if what == "nothing" else "accept")
        else:
            assert (kind, tool) == ("sampling", "think")


@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_python_sdk_2_both_ways(mode: str, revision: str, server2: str, direct: Any, tap: Start) -> None:
    through = tap(server2)
    said = seen(sys.executable, str(PROGRAMS / "client2.py"), through.url, mode, "cancel")
    assert said == [[revision, direct[0][1]], *direct[1:]]
    assert through.stop() == 0
    check_prompts(through)
    assert through.query(WAITED) == [("cancelled",)]
    rules = through.query("SELECT DISTINCT rule FROM findings WHERE rule LIKE 'HTP-%'")
    assert set(rules) <= {("HTP-009",)}


def test_python_sdk_1_client(sdk1_python: str, server2: str, direct: Any, tap: Start) -> None:
    through = tap(server2)
    said = seen(sdk1_python, str(PROGRAMS / "client1.py"), through.url)
    assert said[-1] == direct[-3]
    through.stop()
    check_prompts(through)


def test_python_sdk_1_server(sdk1_python: str, serve: Callable[..., str], direct: Any, tap: Start) -> None:
    through = tap(serve(sdk1_python, "server1.py") + "/mcp")
    said = seen(sys.executable, str(PROGRAMS / "client2.py"), through.url, "legacy")
    assert said[1:] == direct[1:-2]
    through.stop()
    check_prompts(through)


def test_the_old_transport(sdk1_python: str, serve: Callable[..., str], tap: Start) -> None:
    """Two clients at once on the pair of endpoints: two sessions; nothing on the wire says whose a prompt is."""
    server = serve(sdk1_python, "server1.py", "sse") + "/sse"
    client = [sdk1_python, str(PROGRAMS / "client1.py")]
    through = tap(server)
    second = subprocess.Popen([*client, through.url, "sse"], stdout=subprocess.PIPE, text=True)
    said = seen(*client, through.url, "sse")
    assert said[-1] == [[n, f"paint{n}: accept {{'colour': 'red-paint{n}'}}"] for n in range(10)]
    assert json.loads(second.communicate(timeout=30)[0]) == said
    through.stop()
    assert through.query("SELECT count(*) FROM sessions") == [(2,)]
    rows = through.query("SELECT outcome, tier FROM elicitations WHERE kind = 'elicitation'")
    assert len(rows) == 22 and {outcome for outcome, _ in rows} == {"accept", "decline"}
    assert all(tier != "explicit" for _, tier in rows)


@pytest.mark.node
def test_typescript_sdk_1_client(ts: Path, server2: str, direct: Any, tap: Start) -> None:
    through = tap(server2)
    said = seen("node", str(ts / "http_client1.mjs"), through.url)
    assert (said[2], said[-3]) == (direct[2], [text for _, text in direct[-3]])
    through.stop()
    check_prompts(through)
    assert through.query(WAITED) == [("cancelled",)]


@pytest.mark.node
def test_typescript_sdk_1_server(ts: Path, serve: Callable[..., str], direct: Any, tap: Start) -> None:
    through = tap(serve("node", ts / "http_server1.mjs") + "/mcp")
    assert seen(sys.executable, str(PROGRAMS / "client2.py"), through.url, "legacy", "cancel")[1:-2] == direct[1:-2]
    through.stop()
    check_prompts(through)


@pytest.mark.node
@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_typescript_sdk_2_both_ways(
    mode: str, revision: str, ts: Path, ts_server2: str, ts_direct: Any, tap: Start
) -> None:
    client = ["node", str(ts / "http_client2.mjs")]
    through = tap(ts_server2)
    assert seen(*client, through.url, mode) == ts_direct
    through.stop()
    # In sessions, this server asks on the GET stream, where nothing says for which call.
    check_prompts(through, ("deduced", "inferred", "ambiguous") if mode == "legacy" else ("explicit",))
    assert through.query(WAITED) == [("cancelled",)]
    assert through.query("SELECT DISTINCT protocol FROM sessions") == [(revision,)]


@pytest.fixture(scope="module")
def ts_server2(ts: Path, serve: Callable[..., str]) -> str:
    return serve("node", ts / "http_server2.mjs") + "/mcp"


@pytest.fixture(scope="module")
def ts_direct(ts: Path, ts_server2: str) -> Any:
    """What that client sees without a tap, the same in both eras."""
    return seen("node", str(ts / "http_client2.mjs"), ts_server2, "auto")


@pytest.mark.parametrize(("mode", "revision"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
def test_fastmcp_both_ways(
    mode: str, revision: str, fastmcp_python: str, fastmcp_server: str, fastmcp_direct: Any, tap: Start
) -> None:
    client = [fastmcp_python, str(PROGRAMS / "client_fastmcp.py")]
    through = tap(fastmcp_server)
    assert seen(*client, through.url, mode) == fastmcp_direct
    through.stop()
    check_prompts(through)
    assert through.query(WAITED) == [("cancelled",)]
    assert through.query("SELECT DISTINCT protocol FROM sessions") == [(revision,)]


@pytest.fixture(scope="module")
def fastmcp_server(fastmcp_python: str, serve: Callable[..., str]) -> str:
    return serve(fastmcp_python, "server_fastmcp.py") + "/mcp"


@pytest.fixture(scope="module")
def fastmcp_direct(fastmcp_python: str, fastmcp_server: str) -> Any:
    """What that client sees without a tap, the same in both eras."""
    return seen(fastmcp_python, str(PROGRAMS / "client_fastmcp.py"), fastmcp_server, "auto")


def test_fastmcp_3(fastmcp3_python: str, serve: Callable[..., str], tap: Start) -> None:
    """FastMCP 3 on both sides; a client that gives up a call of it only stops waiting."""
    server = serve(fastmcp3_python, "server_fastmcp3.py") + "/mcp"
    client = [fastmcp3_python, str(PROGRAMS / "client_fastmcp.py")]
    through = tap(server)
    assert seen(*client, through.url) == seen(*client, server)
    through.stop()
    check_prompts(through)
    assert len(through.query(WAITED)) == 1
    assert through.query("SELECT DISTINCT protocol FROM sessions") == [("2025-11-25",)]


def test_a_client_that_resumes(serve: Callable[..., str], tap: Start) -> None:
    """The server closes a call's stream twice; what it delivers again is recorded once, and the prompt has its call."""
    through = tap(serve(sys.executable, "server2.py", "events") + "/mcp")
    said = seen(sys.executable, str(PROGRAMS / "resume2.py"), through.url)
    assert said[-1] == ["dream: accept {'colour': 'red'}"]
    assert said.count([1.0, "tired"]) > 1, "it was delivered again"
    through.stop()
    steps = "SELECT count(*), count(DISTINCT raw) FROM messages WHERE method = 'notifications/progress'"
    assert through.query(steps) == [(3, 3)]
    assert through.query("SELECT count(*) FROM http_facts WHERE last_event_id IS NOT NULL") == [(2,)]
    ((kind, _, tier, outcome, tool, _),) = through.query(PROMPTS)
    assert (kind, tier, outcome, tool) == ("elicitation", "explicit", "accept", "nap")
    assert through.query("SELECT outcome, count(*) FROM calls GROUP BY ALL") == [("ok", 1)]
