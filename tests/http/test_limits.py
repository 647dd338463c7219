"""At the cap of the spool, and beside a body that never ends: what the three ways of recording promise."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from auditor.capture.http.traffic import Answered, Piece
from auditor.journal.records import Event

from .bench import RPC, between, serving
from .conftest import Tap
from .test_recorder import children

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the recorder, and what it holds, by /proc")
TEXT = "y" * 300_000


async def answering(request: web.Request) -> web.StreamResponse:
    number = json.loads(await request.read())["id"]
    return web.json_response({"jsonrpc": "2.0", "id": number, "result": {"text": TEXT}})


class Client:
    """A client of a tap whose spool takes one megabyte, and that tap's recorder."""

    def __init__(self, tap: Tap, session: aiohttp.ClientSession) -> None:
        self.tap, self._session = tap, session

    async def ping(self, number: int) -> int:
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"})
        async with self._session.post(self.tap.url, data=body, headers=RPC) as answer:
            got: int = (await answer.json())["id"]
            return got

    async def recorder(self) -> int:
        """The recorder's process, once it has something in the journal."""
        await self.ping(0)
        deadline = time.monotonic() + 20
        while '"ping"' not in self.tap.journal():
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)
        (found,) = children(self.tap.process.pid)
        return found


@asynccontextmanager
async def client(tap: Callable[..., Tap], *options: str) -> AsyncIterator[Client]:
    async with serving(answering) as port, aiohttp.ClientSession() as session:
        started = await asyncio.to_thread(tap, f"http://127.0.0.1:{port}/mcp", "--spool-cap", "1", *options)
        yield Client(started, session)


def test_traffic_goes_on_at_the_cap_and_what_is_left_out_is_counted(tap: Callable[..., Tap]) -> None:
    async def main() -> Tap:
        async with client(tap) as c:
            recorder = await c.recorder()
            os.kill(recorder, signal.SIGSTOP)
            assert [await c.ping(n) for n in range(1, 20)] == list(range(1, 20))
            os.kill(recorder, signal.SIGCONT)
            while '"id":"20"' not in c.tap.journal():
                assert await c.ping(20) == 20
                await asyncio.sleep(0.05)
            return c.tap

    through = asyncio.run(main())
    assert through.stop() == 0
    assert through.process.stderr is not None
    said = through.process.stderr.read()
    lost = sum(r["lost_bytes"] for r in through.records() if r.get("ev") == "gap")
    assert lost > 15 * len(TEXT) and f"{lost} bytes of this session could not be recorded" in said
    whole = [r for r in through.records() if r["k"] == "msg" and TEXT in r.get("raw", "")]
    assert (
        whole and not [r for r in through.records() if r["k"] == "msg" and r["env"]["kind"] == "result"][len(whole) :]
    )


@pytest.mark.torture
def test_lossless_waits_at_the_cap_even_for_another_recorder(tap: Callable[..., Tap]) -> None:
    async def main() -> Tap:
        async with client(tap, "--lossless") as c:
            recorder = await c.recorder()
            os.kill(recorder, signal.SIGSTOP)
            pinging = [asyncio.create_task(c.ping(n)) for n in range(1, 30)]
            done, waiting = await asyncio.wait(pinging, timeout=1)
            assert waiting and len(done) < 10
            os.kill(recorder, signal.SIGKILL)
            assert await asyncio.gather(*pinging) == list(range(1, 30))
            return c.tap

    through = asyncio.run(main())
    assert through.stop() == 0
    assert not [r for r in through.records() if r.get("ev") == "gap"]
    kept = "SELECT count(*), count(DISTINCT rpc_id) FROM messages GROUP BY direction"
    assert through.query(kept) == [(30, 30), (30, 30)]


def test_a_strict_tap_ends_at_the_cap(tap: Callable[..., Tap]) -> None:
    passed = 0

    async def main() -> Tap:
        nonlocal passed
        async with client(tap, "--strict") as c:
            recorder = await c.recorder()
            os.kill(recorder, signal.SIGSTOP)
            with pytest.raises(aiohttp.ClientError):
                while True:
                    passed = await c.ping(passed + 1)
            os.kill(recorder, signal.SIGCONT)
            return c.tap

    through = asyncio.run(main())
    _, said = through.process.communicate(timeout=20)
    assert through.process.returncode == 4
    assert said.startswith("auditor: ended because") and said.count("\n") == 1
    answers = through.query("SELECT bytes FROM messages WHERE kind = 'result'")
    assert sum(size > len(TEXT) for (size,) in answers) == passed + 1, "what passed is recorded"


def held_bytes(process: int) -> int:
    """The memory of a tap's spool."""
    folder = Path(f"/proc/{process}/fd")
    (fd,) = [f for f in folder.iterdir() if "memfd:spool" in str(f.readlink())]
    return fd.stat().st_blocks * 512


def test_a_body_that_never_ends_holds_back_no_more_than_the_cap(tap: Callable[..., Tap]) -> None:
    """Slowloris: a request that stays unfinished, while others pass 24 MB."""

    async def main() -> Tap:
        async with client(tap, "--lossless") as c:
            await c.recorder()
            port = int(c.tap.url.split(":")[2].split("/")[0])
            _, slow = await asyncio.open_connection("127.0.0.1", port)
            slow.write(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\nMcp-Method: x\r\n\r\n{")
            for n in range(1, 80):
                assert await c.ping(n) == n
            deadline = time.monotonic() + 20
            while held_bytes(c.tap.process.pid) > 12 << 20:
                assert time.monotonic() < deadline, held_bytes(c.tap.process.pid)
                await asyncio.sleep(0.05)
            slow.write(b'"jsonrpc":')
            await slow.drain()
            slow.close()
            while '"client closed"' not in c.tap.journal():
                await asyncio.sleep(0.05)
            return c.tap

    through = asyncio.run(main())
    through.stop()
    (torn,) = [r for r in through.records() if r["k"] == "odd"]
    assert torn["raw"] == '{"jsonrpc":' and torn["http"]["truncated"]
    assert not [r for r in through.records() if r.get("ev") == "gap"]


def test_an_answer_whose_request_was_lost_is_recorded(tmp_path: Path) -> None:
    async def main() -> None:
        async with between(tmp_path, answering) as (bench, _):
            said = b'{"jsonrpc":"2.0","id":1,"result":{}}'
            bench.sink.put(Answered(7, 1, "s2c", 200, {"content-type": "application/json"}, said, True))
            bench.sink.put(
                Answered(8, 2, "s2c", 200, {"content-type": "application/json"}, b'{"token":"hunter2"}', True)
            )
            bench.sink.put(Piece(9, 3, "s2c", b"12345"))
            assert [(m.raw, m.ch) for m in bench.messages()] == [(said.decode(), 7)]
            assert [e.lost_bytes for e in bench.records() if isinstance(e, Event) and e.ev == "gap"] == [5]
            assert b"hunter2" not in bench.writer.path.read_bytes()

    asyncio.run(main())


def test_fifty_megabytes_both_ways(tap: Callable[..., Tap]) -> None:
    big = b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"' + b"y" * 50_000_000 + b'"}}'

    async def echo(request: web.Request) -> web.StreamResponse:
        return web.Response(body=await request.read(), content_type="application/json")

    async def main() -> Tap:
        async with serving(echo) as port, aiohttp.ClientSession() as session:
            through = await asyncio.to_thread(tap, f"http://127.0.0.1:{port}/mcp")
            async with session.post(through.url, data=big, headers=RPC) as answer:
                assert await answer.read() == big
            return through

    through = asyncio.run(main())
    through.stop()
    kept = [r for r in through.records() if r["k"] == "msg"]
    assert [(r["dir"], r["bytes"], len(r["raw"])) for r in kept] == [
        (way, len(big), len(big)) for way in ("c2s", "s2c")
    ]
