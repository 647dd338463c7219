"""A server, the proxy before it, and a client, on real sockets in one event loop; what passed is in a journal."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from aiohttp import web

from auditor.capture.http.assemble import Assembler, DirectSink
from auditor.capture.ids import new_capture_id
from auditor.capture.writer import CaptureWriter
from auditor.journal.reader import read_journal
from auditor.journal.records import VERSION, Event, Message, Oddity, Record, Start
from auditor.redact.redactor import Redactor
from auditor.tap.http.proxy import Proxy
from auditor.tap.http.server import TapServer
from auditor.tap.http.upstream import Upstream, open_session, parse_upstream, tls_context

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
RPC = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Bench:
    """`url` is the tap's endpoint, `direct` the server's."""

    def __init__(self, folder: Path, upstream: Upstream) -> None:
        redactor = Redactor.load(folder / "a.duckdb").for_capture(None)
        now = time.time_ns()
        start = Start(
            seq=0, ts_ns=now, v=VERSION, capture=new_capture_id(now), transport="http", upstream=upstream.origin
        )
        self.writer = CaptureWriter.create(folder / "j", start, redactor)
        self.sink = DirectSink(Assembler(self.writer, redactor, upstream.path))
        self.upstream = upstream
        self.port = 0
        self.direct = upstream.origin + upstream.path

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return self.origin + self.upstream.path

    def records(self) -> list[Record]:
        self.writer.flush()
        return [entry.record for entry in read_journal(self.writer.path) if entry.record is not None][1:]

    def messages(self) -> list[Message]:
        return [r for r in self.records() if isinstance(r, Message)]

    def oddities(self) -> list[Oddity]:
        return [r for r in self.records() if isinstance(r, Oddity)]

    def events(self) -> list[Event]:
        return [r for r in self.records() if isinstance(r, Event)]

    async def until(self, holds: Callable[[list[Record]], bool]) -> list[Record]:
        """Wait until the journal says so."""
        deadline = time.monotonic() + 10
        while not holds(records := self.records()):
            assert time.monotonic() < deadline, records
            await asyncio.sleep(0.005)
        return records


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[int]:
    """An HTTP server of the test's own; gives its port."""
    app = web.Application(client_max_size=1 << 30)
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@asynccontextmanager
async def tapping(folder: Path, url: str) -> AsyncIterator[Bench]:
    """The proxy before `url`, recording in this process."""
    upstream = parse_upstream(url)
    bench = Bench(folder, upstream)
    async with open_session(tls_context(None, False)) as session:
        proxy = Proxy(upstream, session, bench.sink, names=frozenset({"127.0.0.1", "localhost"}))
        runner = web.ServerRunner(TapServer(proxy.handle, bench.sink), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        bench.port = runner.addresses[0][1]
        try:
            yield bench
        finally:
            proxy.stopping = True
            await runner.cleanup()
    bench.sink.close()


@asynccontextmanager
async def between(
    folder: Path, handler: Handler, path: str = "/mcp"
) -> AsyncIterator[tuple[Bench, aiohttp.ClientSession]]:
    """A server with `handler`, the tap before it, and a client's session."""
    async with (
        serving(handler) as port,
        tapping(folder, f"http://127.0.0.1:{port}{path}") as bench,
        aiohttp.ClientSession(auto_decompress=False) as client,
    ):
        yield bench, client
