"""What a client and a server see of the tap: nothing. What the record says of them: everything but the secrets."""

import asyncio
import gzip
import json
import socket
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from auditor.journal.records import Event
from auditor.tap.http import server

from .bench import RPC, between, tapping

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PONG = b'{"jsonrpc": "2.0",  "id": 1, "result": {"n": 1.10}}'


def sse(*events: str) -> bytes:
    return "".join(f"data: {e}\n\n" for e in events).encode()


async def stream(request: web.Request, *chunks: bytes, **headers: str) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", **headers})
    await response.prepare(request)
    for chunk in chunks:
        await response.write(chunk)
    return response


def test_bodies_and_headers_pass_as_they_are(tmp_path: Path) -> None:
    seen: list[web.Request] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        seen.append(request)
        assert await request.read() == PING
        headers = {"Content-Type": "application/json", "X-Two": "b", "Keep-Alive": "timeout=9"}
        response = web.Response(body=PONG, headers=headers)
        response.headers.add("X-Two", "c")
        return response

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            sent = {
                **RPC,
                "X-Mixed-Case": "1",
                "Authorization": "Bearer s3cr3t-t0ken-value",
                "Connection": "x-gone",
                "X-Gone": "1",
            }
            async with client.post(bench.url, data=PING, headers=sent) as answer:
                assert await answer.read() == PONG
                assert answer.headers.getall("X-Two") == ["b", "c"]
                assert "Keep-Alive" not in answer.headers
            (request,) = seen
            assert ("X-Mixed-Case" in [k.decode() for k, _ in request.raw_headers]) and "X-Gone" not in request.headers
            assert request.headers["Host"] == bench.upstream.host
            assert request.headers["Authorization"] == "Bearer s3cr3t-t0ken-value"
            asked, answered = bench.messages()
            assert (asked.raw, answered.raw) == (PING.decode(), PONG.decode())
            assert asked.ch == answered.ch == 1
            assert asked.http is not None and asked.http.method == "POST" and asked.http.path == "/mcp"
            assert answered.http is not None and (answered.http.status, answered.http.stream) == (200, "POST")
            assert b"s3cr3t" not in bench.writer.path.read_bytes()

    asyncio.run(main())


def test_a_head_without_type_or_server_gets_none(tmp_path: Path) -> None:
    async def raw_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 202 Taken\r\nContent-Length: 8\r\n\r\nAccepted")
        await writer.drain()

    async def main() -> None:
        listening = await asyncio.start_server(raw_server, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        async with tapping(tmp_path, f"http://127.0.0.1:{port}/mcp") as bench, aiohttp.ClientSession() as client:
            async with client.post(bench.url, data=PING, headers=RPC) as answer:
                assert (answer.status, answer.reason, await answer.read()) == (202, "Taken", b"Accepted")
                assert dict(answer.headers) == {"Content-Length": "8"}
            assert bench.oddities() == []
        listening.close()

    asyncio.run(main())


def test_the_first_event_passes_before_the_second_exists(tmp_path: Path) -> None:
    go_on = asyncio.Event()

    async def handler(request: web.Request) -> web.StreamResponse:
        response = await stream(request, b"id: 7\nevent: message\ndata: " + PONG + b"\n\n", **{"Mcp-Session-Id": "abc"})
        await go_on.wait()
        await response.write(sse("[1"))
        return response

    async def main() -> None:
        async with (
            between(tmp_path, handler) as (bench, client),
            client.post(bench.url, data=PING, headers=RPC) as answer,
        ):
            assert PONG in await answer.content.readuntil(b"\n\n")
            await bench.until(lambda _: len(bench.messages()) == 2)
            go_on.set()
            assert await answer.content.read() == b"data: [1\n\n"
            message = bench.messages()[1]
            assert message.http is not None
            assert (message.http.sse_id, message.http.sse_event, message.http.session) == ("7", "message", "abc")
            assert [o.raw for o in bench.oddities()] == ["[1"]
            closing = [e.http for e in bench.events() if e.http and e.http.sse_close]
            assert len(closing) == 1 and not closing[0].truncated

    asyncio.run(main())


def test_a_client_that_leaves_takes_the_upstream_along(tmp_path: Path) -> None:
    left = asyncio.Event()

    async def handler(request: web.Request) -> web.StreamResponse:
        try:
            await stream(request, sse(PONG.decode()))
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            left.set()
            raise
        return web.Response()

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            answer = await client.post(bench.url, data=PING, headers=RPC)
            await answer.content.readuntil(b"\n\n")
            answer.close()
            await asyncio.wait_for(left.wait(), 5)
            await bench.until(lambda rs: any(isinstance(r, Event) and r.http and r.http.truncated for r in rs))
            assert [e.http.error for e in bench.events() if e.http and e.http.truncated] == ["client closed"]

    asyncio.run(main())


@pytest.mark.parametrize(
    "framing", ["Transfer-Encoding: chunked\r\n\r\n6\r\ndata: ", "Content-Length: 50\r\n\r\ndata: x"]
)
def test_an_upstream_that_breaks_off_breaks_the_client_off(tmp_path: Path, framing: str) -> None:
    async def raw_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{framing}".encode())
        await writer.drain()
        writer.close()

    async def main() -> None:
        listening = await asyncio.start_server(raw_server, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        async with tapping(tmp_path, f"http://127.0.0.1:{port}/mcp") as bench, aiohttp.ClientSession() as client:
            with pytest.raises(aiohttp.ClientError):
                async with client.post(bench.url, data=PING, headers=RPC) as answer:
                    await answer.read()
            await bench.until(lambda rs: any(isinstance(r, Event) and r.http and r.http.error for r in rs))
            assert [e.http.error for e in bench.events() if e.http and e.http.truncated] == ["upstream closed"]
        listening.close()

    asyncio.run(main())


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_a_coded_body_passes_coded_and_is_read_for_the_record(tmp_path: Path, coding: str) -> None:
    body = gzip.compress(PONG) if coding == "gzip" else b"\x8b\x02" + PONG
    offered: list[str] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        offered.append(request.headers["Accept-Encoding"])
        return web.Response(body=body, headers={"Content-Type": "application/json", "Content-Encoding": coding})

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            headers = {**RPC, "Accept-Encoding": "br, gzip;q=0.5"}
            async with client.post(bench.url, data=PING, headers=headers) as answer:
                assert await answer.read() == body
            assert offered == ["gzip;q=0.5"]
            if coding == "gzip":
                assert [m.raw for m in bench.messages()] == [PING.decode(), PONG.decode()]
            else:
                errors = [e.http.error for e in bench.events() if e.http and e.http.error]
                assert errors == ["a body coded as br"] and b"1.10" not in bench.writer.path.read_bytes()

    asyncio.run(main())


def test_what_is_no_endpoint_leaves_no_body(tmp_path: Path) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.json_response({"access_token": "hunter2-token", "path": request.path})

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            async with client.post(bench.origin + "/token", data={"client_secret": "hunter2-secret"}) as answer:
                assert (await answer.json())["access_token"] == "hunter2-token"
            async with client.post(bench.origin + "/register", json={"client_secret": "hunter2-secret"}) as answer:
                assert answer.status == 200
            assert bench.messages() == [] and bench.oddities() == []
            assert len(bench.events()) == 4
            assert b"hunter2" not in bench.writer.path.read_bytes()

    asyncio.run(main())


def test_a_resumed_stream_is_recorded_once(tmp_path: Path) -> None:
    first, second = (f'{{"jsonrpc":"2.0","method":"notifications/n{i}"}}' for i in (1, 2))

    async def handler(request: web.Request) -> web.StreamResponse:
        return await stream(request, f"id: 1\ndata: {first}\n\n".encode(), f"id: 2\ndata: {second}\n\n".encode())

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            for extra in ({}, {"Last-Event-ID": "1"}):
                headers = {"Accept": "text/event-stream", "Mcp-Session-Id": "s", **extra}
                async with client.get(bench.url, headers=headers) as answer:
                    assert (await answer.read()).count(b"data:") == 2
            assert [m.raw for m in bench.messages()] == [first, second]
            again = [e.http for e in bench.events() if e.http and e.http.ex == 2 and e.http.sse_id]
            assert [h.sse_id for h in again] == ["1", "2"]

    asyncio.run(main())


def test_the_old_transport_stays_on_the_tap(tmp_path: Path) -> None:
    queue: asyncio.Queue[bytes] = asyncio.Queue()

    async def handler(request: web.Request) -> web.StreamResponse:
        if request.method == "POST":
            queue.put_nowait(await request.read())
            return web.Response(status=202, text="Accepted")
        endpoint = f"http://{request.host}/messages?sessionId=42"
        response = await stream(request, b"event: endpo", f"int\r\ndata: {endpoint}\r\n\r\n".encode())
        await queue.get()
        await response.write(b"event: message\r\ndata: " + PONG + b"\r\n\r\n")
        return response

    async def main() -> None:
        async with between(tmp_path, handler, "/sse") as (bench, client):
            async with client.get(bench.url, headers={"Accept": "text/event-stream"}) as answer:
                endpoint = (await answer.content.readuntil(b"\r\n\r\n")).split(b"data: ")[1].strip().decode()
                assert endpoint == f"{bench.origin}/messages?sessionId=42"
                async with client.post(endpoint, data=PING, headers={"Content-Type": "application/json"}) as posted:
                    assert posted.status == 202
                assert PONG in await answer.content.read()
            assert [m.raw for m in bench.messages()] == [PING.decode(), PONG.decode()]
            assert bench.oddities() == []

    asyncio.run(main())


def test_names_of_the_upstream_become_those_of_the_tap(tmp_path: Path) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        origin = f"http://{request.host}"
        if request.path.startswith("/.well-known/"):
            return web.json_response(
                {"resource": origin + "/mcp", "authorization_servers": [origin, "https://as.example"]}
            )
        if request.path == "/authorize":
            assert request.query["resource"] == origin + "/mcp"
            return web.Response(status=302, headers={"Location": f"{origin}/login?next=1"})
        if request.path == "/token":
            assert (await request.post())["resource"] == origin + "/mcp"
            return web.json_response({})
        meta = f'Bearer resource_metadata="{origin}/.well-known/oauth-protected-resource/mcp"'
        return web.Response(status=401, headers={"WWW-Authenticate": meta})

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            async with client.post(bench.url, data=PING, headers=RPC) as answer:
                url = answer.headers["WWW-Authenticate"].split('"')[1]
                assert url.startswith(bench.origin + "/")
            async with client.get(url) as answer:
                said = await answer.json()
                assert said == {"resource": bench.url, "authorization_servers": [bench.origin, "https://as.example"]}
            async with client.get(
                bench.origin + "/authorize", params={"resource": bench.url}, allow_redirects=False
            ) as answer:
                assert (answer.status, answer.headers["Location"]) == (302, bench.origin + "/login?next=1")
            async with client.post(bench.origin + "/token", data={"resource": bench.url}) as answer:
                assert answer.status == 200

    asyncio.run(main())


def test_rebinding_and_origins(tmp_path: Path) -> None:
    origins: list[str] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        origins.append(request.headers["Origin"])
        return web.Response(body=PONG, content_type="application/json")

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            for host, origin, status in (
                (f"evil.example:{bench.port}", f"http://evil.example:{bench.port}", 403),
                (f"localhost:{bench.port}", f"http://localhost:{bench.port}", 200),
                (f"localhost:{bench.port}", "http://other.example", 200),
            ):
                headers = {**RPC, "Host": host, "Origin": origin}
                async with client.post(bench.url, data=PING, headers=headers) as answer:
                    assert answer.status == status
            assert origins == [bench.upstream.origin, "http://other.example"]

    asyncio.run(main())


def test_no_upstream_is_a_502_with_an_error_in_json_rpc(tmp_path: Path) -> None:
    async def main() -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
            async with tapping(tmp_path, f"http://127.0.0.1:{port}/mcp") as bench, aiohttp.ClientSession() as client:
                async with client.post(bench.url, data=PING, headers=RPC) as answer:
                    said = json.loads(await answer.read())
                    assert (
                        answer.status == 502 and said["error"]["code"] == server.INTERNAL_ERROR and said["id"] is None
                    )
                assert [m.dir for m in bench.messages()] == ["c2s"], "the tap's own answer is not the server's"
                (event,) = bench.events()
                assert event.http is not None and event.http.status == 502 and "refused" in (event.http.error or "")

    asyncio.run(main())


@pytest.mark.parametrize("status", [400, 404])
def test_json_rpc_bodies_of_errors_are_messages(tmp_path: Path, status: int) -> None:
    said = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'

    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=said, content_type="application/json")

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            async with client.post(bench.url, data=PING, headers=RPC) as answer:
                assert (answer.status, await answer.read()) == (status, said)
            assert bench.messages()[1].env.code == -32600

    asyncio.run(main())


def test_garbage_slow_heads_and_cut_bodies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEAD_TIMEOUT_S", 0.2)

    async def handler(request: web.Request) -> web.StreamResponse:
        await request.read()
        return web.Response(body=PONG, content_type="application/json")

    async def speak(port: int, data: bytes, *, close: bool = False) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(data)
        await writer.drain()
        if close:
            writer.close()
            return b""
        said = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        return said

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            assert b" 400 " in await speak(bench.port, b"\x16\x03\x01\x02\x00\x01\x00 this is TLS\r\n\r\n")
            assert b" 408 " in await speak(bench.port, b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\nAccept: text/event-stream\r\n\r\n"
            await speak(bench.port, head + b'{"jsonrpc":', close=True)
            await bench.until(lambda _: len(bench.oddities()) == 1)
            assert [o.why for o in bench.oddities()] == ["torn line"]
            troubles = [e.http for e in bench.events() if e.http and e.http.ex == 0]
            assert [t.status for t in troubles] == [400, 408]
            async with client.post(bench.url, data=PING, headers=RPC) as answer:
                assert await answer.read() == PONG, "the tap stays up"

    asyncio.run(main())


def test_many_connections_at_once(tmp_path: Path) -> None:
    release = asyncio.Event()

    async def handler(request: web.Request) -> web.StreamResponse:
        number = json.loads(await request.read())["id"]
        await release.wait()
        return await stream(request, sse(json.dumps({"jsonrpc": "2.0", "id": number, "result": {}})))

    async def main() -> None:
        async with (
            between(tmp_path, handler) as (bench, _),
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client,
        ):

            async def one(number: int) -> None:
                body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"})
                async with client.post(bench.url, data=body, headers=RPC) as answer:
                    assert f'"id": {number},' in (await answer.read()).decode()

            tasks = [asyncio.create_task(one(n)) for n in range(200)]
            await bench.until(lambda _: len(bench.messages()) == 200)
            release.set()
            await asyncio.gather(*tasks)
            by_channel: dict[int, list[str | None]] = {}
            for message in bench.messages():
                by_channel.setdefault(message.ch, []).append(message.env.id)
            assert len(by_channel) == 200 and all(len(set(ids)) == 1 for ids in by_channel.values())

    asyncio.run(main())


def test_a_request_in_pieces_passes_in_pieces(tmp_path: Path) -> None:
    got: asyncio.Queue[bytes] = asyncio.Queue()

    async def handler(request: web.Request) -> web.StreamResponse:
        async for data in request.content.iter_any():
            got.put_nowait(data)
        return web.Response(body=PONG, content_type="application/json")

    async def main() -> None:
        async with between(tmp_path, handler) as (bench, client):
            half, rest = PING[:20], PING[20:]

            async def body() -> object:
                yield half
                assert await asyncio.wait_for(got.get(), 5) == half
                yield rest

            async with client.post(bench.url, data=body(), headers={**RPC, "Expect": "100-continue"}) as answer:
                assert await answer.read() == PONG
            assert [m.raw for m in bench.messages()] == [PING.decode(), PONG.decode()]

    asyncio.run(main())


def test_no_descriptor_is_left(tmp_path: Path) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(body=PONG, content_type="application/json")

    async def main() -> int:
        async with between(tmp_path, handler) as (bench, client):
            for _ in range(3):
                async with client.post(bench.url, data=PING, headers=RPC) as answer:
                    await answer.read()
        open_now = Path("/proc/self/fd")
        return len(list(open_now.iterdir())) if open_now.exists() else 0

    counts = [asyncio.run(main()) for _ in range(2)]
    assert counts[1] <= counts[0] + 1
