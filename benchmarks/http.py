"""What the HTTP tap costs: a round trip, the first event of a stream, a large event; direct, bare proxy, tap.

    python benchmarks/http.py [--rounds N] [--check]

The server, the bare aiohttp proxy (which records nothing) and the tap are processes of their own; the client is a raw
socket on one keep-alive connection, so that its own cost hides nothing. `--check` exits 1 when a target is missed.
"""

import argparse
import asyncio
import json
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:] = [p for p in sys.path if Path(p).resolve() != Path(__file__).parent]  # this file is not the library `http`

import aiohttp  # noqa: E402
from aiohttp import web  # noqa: E402

BODY = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}'
MAX_TIMES_DIRECT, MAX_TIMES_BARE, MAX_FIRST_EVENT_MS, MAX_LARGE_RATIO = 8.0, 1.1, 2.0, 6.0


async def _answer(request: web.BaseRequest) -> web.StreamResponse:
    body = await request.read()
    size = int(request.headers.get("X-Event-Bytes", "0"))
    if not size:
        return web.Response(
            body=b'{"jsonrpc":"2.0","id":1,"result":{"got":%d}}' % len(body), content_type="application/json"
        )
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(b'data: {"jsonrpc":"2.0","id":1,"result":{"x":"' + b"x" * size + b'"}}\n\n')
    return response


async def _listen(handler: object) -> None:
    runner = web.ServerRunner(web.Server(handler))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    sys.stderr.write(f"http://127.0.0.1:{runner.addresses[0][1]}/mcp;\n")
    sys.stderr.flush()
    await asyncio.Event().wait()


async def _bare_proxy(upstream: str) -> None:
    async with aiohttp.ClientSession(auto_decompress=False, timeout=aiohttp.ClientTimeout(total=None)) as session:

        async def handler(request: web.BaseRequest) -> web.StreamResponse:
            headers = {k: v for k, v in request.headers.items() if k.lower() not in ("host", "connection")}
            body = await request.read()
            async with session.request(request.method, upstream, headers=headers, data=body) as answer:
                kept = {k: v for k, v in answer.headers.items() if k.lower() != "transfer-encoding"}
                response = web.StreamResponse(status=answer.status, headers=kept)
                await response.prepare(request)
                async for data in answer.content.iter_any():
                    await response.write(data)
                return response

        await _listen(handler)


def _start(*command: str) -> tuple["subprocess.Popen[str]", str]:
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    found = re.search(r"https?://[^;]+", process.stderr.readline())
    assert found
    return process, found[0]


class Connection:
    """One keep-alive connection."""

    def __init__(self, url: str) -> None:
        port = int(url.split(":")[2].split("/")[0])
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._port = port

    def post(self, event_bytes: int = 0, *, first: bool = False) -> float:
        """One POST; seconds until the answer is whole (or, with `first`, until its first event is there)."""
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json, text/event-stream\r\nX-Event-Bytes: {event_bytes}\r\n"
            f"Content-Length: {len(BODY)}\r\n\r\n"
        )
        began = time.perf_counter()
        self._socket.sendall(head.encode() + BODY)
        got, tail, taken = 0, b"", None
        while True:
            data = self._socket.recv(1 << 20)
            got += len(data)
            tail = (tail + data)[-400:] if event_bytes else tail + data
            if first and taken is None and b"data:" in data:
                taken = time.perf_counter() - began
            if tail.endswith(b"0\r\n\r\n") if event_bytes else (b"\r\n\r\n" in tail and tail.endswith(b"}")):
                return taken or time.perf_counter() - began


def _median_us(connection: Connection, count: int) -> float:
    return statistics.median(connection.post() for _ in range(count)) * 1e6


def measure(rounds: int) -> dict[str, float]:
    """All figures, in one run; times in µs or ms as the names say."""
    folder = Path(tempfile.mkdtemp())
    server, direct = _start(sys.executable, __file__, "--serve")
    bare, through_bare = _start(sys.executable, __file__, "--bare", direct)
    record = [sys.executable, "-m", "auditor", "record", "--db", str(folder / "bench.duckdb")]
    tap, through_tap = _start(*record, "--upstream", direct, "--listen", "127.0.0.1:0")
    try:
        ways = {"direct": Connection(direct), "bare": Connection(through_bare), "tap": Connection(through_tap)}
        for way in ways.values():
            _median_us(way, 100)
        table = [{name: _median_us(way, 200) for name, way in ways.items()} for _ in range(rounds)]
        first = [{name: way.post(10, first=True) * 1e3 for name, way in ways.items()} for _ in range(100)]
        large = {mb: min(ways["tap"].post(mb << 20) for _ in range(3)) * 1e3 for mb in (5, 20)}
        large_direct = min(ways["direct"].post(20 << 20) for _ in range(3)) * 1e3
    finally:
        tap.send_signal(signal.SIGTERM)
        tap.wait()
        for process in (server, bare):
            process.kill()
            process.wait()
    medians = {name: statistics.median(row[name] for row in table) for name in ("direct", "bare", "tap")}
    return {
        **{f"round trip p50 {name} (µs)": value for name, value in medians.items()},
        "tap / direct": statistics.median(row["tap"] / row["direct"] for row in table),
        "tap / bare proxy": statistics.median(row["tap"] / row["bare"] for row in table),
        "first event, tap - direct (ms)": statistics.median(row["tap"] - row["direct"] for row in first),
        "first event, bare - direct (ms)": statistics.median(row["bare"] - row["direct"] for row in first),
        "20 MB event direct (ms)": large_direct,
        "20 MB event tap (ms)": large[20],
        "20 MB / 5 MB event": large[20] / large[5],
    }


def main() -> int:
    """Measure, print, and check when told to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--bare", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(_listen(_answer))
    if options.bare:
        asyncio.run(_bare_proxy(options.bare))
    figures = measure(options.rounds)
    sys.stdout.write(json.dumps({k: round(v, 2) for k, v in figures.items()}, indent=1, ensure_ascii=False) + "\n")
    held = (
        figures["tap / direct"] <= MAX_TIMES_DIRECT
        and figures["tap / bare proxy"] <= MAX_TIMES_BARE
        and figures["first event, tap - direct (ms)"] <= MAX_FIRST_EVENT_MS
        and figures["20 MB / 5 MB event"] <= MAX_LARGE_RATIO
    )
    return 0 if held or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
