"""What goes wrong on either side: a clear answer, a clear record, and a tap that stays up."""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from auditor.journal.records import Record
from auditor.tap.http import server, upstream

from .bench import RPC, Bench, between, tapping

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}'
HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


async def pong(request: web.Request) -> web.StreamResponse:
    await request.read()
    return web.Response(body=PONG, content_type="application/json")


def errors(records: list[Record]) -> list[str]:
    """What the record says went wrong."""
    facts = (getattr(r, "http", None) for r in records)
    return [f.error for f in facts if f is not None and f.error]


async def ask(bench: Bench) -> tuple[int, str]:
    """Ping through the tap; the status, and the message of the JSON-RPC error."""
    async with aiohttp.ClientSession() as client, client.post(bench.url, data=PING, headers=RPC) as answer:
        said = json.loads(await answer.read())
        assert said["jsonrpc"] == "2.0" and said["id"] is None
        return answer.status, said["error"]["message"]


async def still_up(bench: Bench) -> None:
    async with aiohttp.ClientSession() as client, client.post(bench.url, data=PING, headers=RPC) as answer:
        assert await answer.read() == PONG, "the tap stays up"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_upstream_that_does_not_take_the_connection_is_a_504(
    scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A queue of connections that is full; and one that takes the connection, but never begins TLS."""
    monkeypatch.setattr(upstream, "CONNECT_TIMEOUT_S", 0.5)

    async def main() -> None:
        with socket.socket() as deaf:
            deaf.bind(("127.0.0.1", 0))
            deaf.listen(0)
            queue = [socket.socket() for _ in range(4 if scheme == "http" else 0)]
            for waiting in queue:
                waiting.setblocking(False)
                waiting.connect_ex(deaf.getsockname())
            async with tapping(tmp_path, f"{scheme}://127.0.0.1:{deaf.getsockname()[1]}/mcp") as bench:
                status, message = await ask(bench)
                assert status == 504 and "in time" in message
                assert [m.raw for m in bench.messages()] == [PING.decode()]
                (said,) = errors(bench.records())
                assert "in time" in said
            for waiting in queue:
                waiting.close()

    asyncio.run(main())


def test_a_name_that_nobody_knows_is_a_502(tmp_path: Path) -> None:
    async def main() -> None:
        async with tapping(tmp_path, "http://nobody.invalid/mcp") as bench:
            assert await ask(bench) == (
                502,
                "auditor: the upstream http://nobody.invalid cannot be reached: its name is not known",
            )

    asyncio.run(main())


def test_an_upstream_that_says_nothing_or_nonsense_is_a_502(tmp_path: Path) -> None:
    said = iter(
        [b"", b"SSH-2.0-OpenSSH_9.7\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"]
    )

    async def raw_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(next(said))
        await writer.drain()
        writer.close()

    async def main() -> None:
        listening = await asyncio.start_server(raw_server, "127.0.0.1", 0)
        async with tapping(tmp_path, f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/mcp") as bench:
            answers = [await ask(bench) for _ in range(3)]
            assert [status for status, _ in answers] == [502] * 3
            assert "without an answer" in answers[0][1] and "no HTTP" in answers[1][1] and "no HTTP" in answers[2][1]
            assert len(bench.messages()) == len(errors(bench.records())) == 3
        listening.close()

    asyncio.run(main())


@pytest.mark.parametrize("framing", [b"Transfer-Encoding: chunked\r\n\r\n10\r\n", b"Content-Length: 99\r\n\r\n"])
def test_an_answer_that_is_cut_off_is_cut_off_for_the_client_and_torn_in_the_record(
    framing: bytes, tmp_path: Path
) -> None:
    async def raw_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + framing + PONG[:9])
        await writer.drain()
        writer.close()

    async def main() -> None:
        listening = await asyncio.start_server(raw_server, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        async with tapping(tmp_path, f"http://127.0.0.1:{port}/mcp") as bench, aiohttp.ClientSession() as client:
            with pytest.raises(aiohttp.ClientError):
                async with client.post(bench.url, data=PING, headers=RPC) as answer:
                    await answer.read()
            await bench.until(lambda _: bool(bench.oddities()))
            (torn,) = bench.oddities()
            assert (torn.raw, torn.why, torn.dir) == (PONG[:9].decode(), "torn line", "s2c")
            assert torn.http is not None and torn.http.truncated and torn.http.error == "upstream closed"
        listening.close()

    asyncio.run(main())


@pytest.mark.parametrize("framing", [b"Transfer-Encoding: chunked\r\n\r\n10\r\n", b"Content-Length: 99\r\n\r\n"])
def test_a_request_that_is_cut_off_never_looks_whole_to_the_upstream(framing: bytes, tmp_path: Path) -> None:
    got: asyncio.Queue[object] = asyncio.Queue()

    async def handler(request: web.Request) -> web.StreamResponse:
        try:
            got.put_nowait(await request.content.readany())
            got.put_nowait(await request.read())
        except BaseException as e:
            got.put_nowait(e)
            raise
        return web.Response(body=PONG, content_type="application/json")

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, _):
            _, writer = await asyncio.open_connection("127.0.0.1", bench.port)
            writer.write(HEAD + framing + PING[:9])
            assert await asyncio.wait_for(got.get(), 10) == PING[:9]
            writer.close()
            await bench.until(lambda _: bool(bench.oddities()))
            (torn,) = bench.oddities()
            assert (torn.raw, torn.why, torn.dir) == (PING[:9].decode(), "torn line", "c2s")
            assert isinstance(await asyncio.wait_for(got.get(), 10), BaseException)
            await still_up(bench)

    asyncio.run(main())


def test_a_chunked_body_that_is_none_is_a_400(tmp_path: Path) -> None:
    async def main() -> None:
        async with between(tmp_path, pong) as (bench, _):
            reader, writer = await asyncio.open_connection("127.0.0.1", bench.port)
            writer.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n10\r\n" + PING[:9])
            await writer.drain()
            writer.write(PING[9:] + b"\r\nthis is no chunk\r\n")
            assert b" 400 " in await asyncio.wait_for(reader.readline(), 10)
            writer.close()
            await bench.until(lambda rs: bool(errors(rs)))
            await still_up(bench)

    asyncio.run(main())


def test_heads_that_drip_end_in_time_and_keep_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slowloris: each byte comes in time, the head never ends."""
    monkeypatch.setattr(server, "HEAD_TIMEOUT_S", 1.0)

    async def drip(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD)
        said = asyncio.ensure_future(reader.readline())
        while not said.done():
            writer.write(b"X-Slow: 1\r\n")
            await asyncio.wait([said], timeout=0.05)
        writer.close()
        return said.result()

    async def main() -> None:
        async with between(tmp_path, pong) as (bench, _):
            slow = [asyncio.create_task(drip(bench.port)) for _ in range(150)]
            await still_up(bench)
            assert {await one for one in slow} == {b"HTTP/1.1 408 Request Timeout\r\n"}
            assert sum(said.startswith("no complete request") for said in errors(bench.records())) == 150
            await still_up(bench)

    asyncio.run(main())


def test_a_client_that_reads_slowly_slows_its_server_alone(tmp_path: Path) -> None:
    size, sent = 32 << 20, 0

    async def handler(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        if request.method == "POST":
            return await pong(request)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b'data: {"jsonrpc":"2.0","method":"x","params":{"x":"')
        while sent < size:
            await response.write(b"x" * (1 << 20))
            sent += 1 << 20
        await response.write(b'"}}\n\n')
        return response

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            async with client.get(bench.url, headers={"Accept": "text/event-stream"}) as answer:
                before = -1
                while before != sent:
                    before = sent
                    await asyncio.sleep(0.3)
                assert sent < size, "the server is held back"
                await still_up(bench)
                got = 0
                async for data in answer.content.iter_any():
                    got += len(data)
            assert got == size + 51 + 5
            assert max(m.bytes for m in bench.messages()) > size

    asyncio.run(main())


def test_a_wrong_path_is_the_upstreams_to_answer(tmp_path: Path) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        await request.read()
        return web.Response(status=404, text="Not Found")

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            async with client.post(bench.origin + "/mpc", data=PING, headers=RPC) as answer:
                assert (answer.status, await answer.text()) == (404, "Not Found")
            records = bench.records()
            assert [m.raw for m in bench.messages()] == [PING.decode()]
            assert [r.http.status for r in records if r.http and r.http.status] == [404]
            assert errors(records) == []

    asyncio.run(main())


def test_an_upstream_that_is_down_and_comes_back(tmp_path: Path) -> None:
    async def main() -> None:
        with socket.socket() as place:
            place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            place.bind(("127.0.0.1", 0))
            async with tapping(tmp_path, f"http://127.0.0.1:{place.getsockname()[1]}/mcp") as bench:
                assert (await ask(bench))[0] == 502
                runner = web.ServerRunner(web.Server(pong))
                await runner.setup()
                await web.SockSite(runner, place).start()
                await still_up(bench)
                await runner.cleanup()
                assert len(errors(bench.records())) == 1

    asyncio.run(main())


def test_a_body_that_the_upstream_is_slow_to_take_arrives_whole() -> None:
    """A body that is sent at once, and does not fit into what the system takes at once."""
    body, filled = b"x" * 1_000_000, asyncio.Event()

    async def raw_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await filled.wait()
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n%d" % len(await reader.readexactly(len(body))))
        await writer.drain()
        writer.close()

    def small(address: Any) -> socket.socket:
        made = socket.socket(address[0], address[1])
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return made

    async def main() -> None:
        with socket.socket() as place:
            place.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            place.bind(("127.0.0.1", 0))
            port = place.getsockname()[1]
            listening = await asyncio.start_server(raw_server, sock=place, limit=4096)
            async with upstream.open_session(upstream.tls_context(None, False)) as session:
                assert isinstance(session.connector, aiohttp.TCPConnector)
                session.connector._socket_factory = small
                for ends in (True, False):
                    filled.clear()
                    asked = asyncio.ensure_future(session.post(f"http://127.0.0.1:{port}/mcp", data=body))
                    await asyncio.sleep(0.2)  # until nothing more fits; were it too short, it would arrive as well
                    if not ends:
                        asked.cancel()
                        with pytest.raises(asyncio.CancelledError):
                            await asked
                        continue
                    filled.set()
                    assert await (await asked).read() == b"1000000"
            filled.set()
            listening.close()

    asyncio.run(main())
