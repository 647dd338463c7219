"""The recorder of an HTTP tap may die: another goes on, and nothing is lost or recorded twice."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from .bench import RPC, serving
from .conftest import Tap


def children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.torture
@pytest.mark.skipif(sys.platform != "linux", reason="finds the recorder by /proc")
def test_a_recorder_that_is_killed_is_replaced(tap: Callable[..., Tap]) -> None:
    go_on: asyncio.Queue[int] = asyncio.Queue()

    async def handler(request: web.Request) -> web.StreamResponse:
        if request.method == "POST":
            number = json.loads(await request.read())["id"]
            return web.json_response({"jsonrpc": "2.0", "id": number, "result": {}})
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while True:
            number = await go_on.get()
            event = json.dumps({"jsonrpc": "2.0", "method": f"notifications/n{number}"})
            await response.write(f"data: {event[:9]}".encode())
            await response.write(f"{event[9:]}\n\n".encode())

    async def main() -> Tap:
        async with serving(handler) as port, aiohttp.ClientSession() as client:
            through = await asyncio.to_thread(tap, f"http://127.0.0.1:{port}/mcp")
            async with client.get(through.url, headers={"Accept": "text/event-stream"}) as listening:
                for n in range(60):
                    body = json.dumps({"jsonrpc": "2.0", "id": n, "method": "ping"})
                    async with client.post(through.url, data=body, headers=RPC) as answer:
                        assert (await answer.json())["id"] == n
                    go_on.put_nowait(n)
                    assert f"/n{n}" in (await listening.content.readuntil(b"\n\n")).decode()
                    if n in (20, 40):
                        (recorder,) = children(through.process.pid)
                        os.kill(recorder, signal.SIGKILL)
                        while recorder in children(through.process.pid):
                            await asyncio.sleep(0.01)
            return through

    through = asyncio.run(main())
    through.stop()
    records = through.records()
    assert [r["seq"] for r in records] == list(range(len(records)))
    kept = [r["raw"] for r in records if r["k"] == "msg"]
    assert len(kept) == len(set(kept)) == 180
    assert not [r for r in records if r["k"] == "odd" or r.get("ev") == "gap"]
