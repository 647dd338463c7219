"""The listening side: connections with a number, a deadline for a request's head, and an answer to garbage.

It stands on aiohttp's low-level server, without application, routes or middlewares: each of them costs time on every
request and wants to know better what a message is.
"""

import asyncio
import contextlib
import time
from typing import Any

import msgspec
from aiohttp import hdrs, web
from aiohttp.web_protocol import RequestHandler
from aiohttp.web_request import BaseRequest

from auditor.capture.http.traffic import Sink, Trouble
from auditor.tap.spool import SpoolFull

HEAD_TIMEOUT_S = 30.0
"""How long a client may take from connecting to the end of its first request's head (against slowloris)."""
MAX_HEAD_BYTES = 64 * 1024
"""Of one header line: tokens in headers grow to 16 KiB in practice; aiohttp's own bound of 8 KiB cuts them."""
INTERNAL_ERROR = -32603
_ADDED = (hdrs.CONTENT_TYPE, hdrs.DATE, hdrs.SERVER)


def rpc_error(message: str) -> bytes:
    """A JSON-RPC error that belongs to no request, as an HTTP body."""
    error = {"code": INTERNAL_ERROR, "message": message}
    return msgspec.json.encode({"jsonrpc": "2.0", "id": None, "error": error})


class Passed(web.StreamResponse):
    """A response with the headers that it was given, and no others of aiohttp's choice."""

    def __init__(self, status: int, reason: str | None, headers: list[tuple[str, str]]) -> None:
        super().__init__(status=status, reason=reason)
        self._headers.extend(headers)

    async def _prepare_headers(self) -> None:
        headers = self._headers
        added = [name for name in _ADDED if name not in headers]
        await super()._prepare_headers()
        for name in added:
            headers.popall(name, None)

    async def send_whole(self, request: BaseRequest, body: bytes) -> None:
        """Send the head together with the body, which is there already."""
        self._send_headers_immediately = False
        await self.prepare(request)
        await self.write_eof(body)


class TapConnection(RequestHandler):
    """One TCP connection of a client."""

    def __init__(self, manager: "TapServer", number: int, **options: Any) -> None:
        super().__init__(manager, **options)
        self.number = number
        self._sink = manager.sink
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._deadline = self._loop.call_later(HEAD_TIMEOUT_S, self._too_slow)

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._deadline is not None and self._request_count:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._deadline = None
        if isinstance(self.transport, asyncio.Transport) and not self._request_count:
            self._note(408, f"no complete request within {HEAD_TIMEOUT_S:g} s")
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            self.force_close()

    def handle_error(
        self, request: BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Answer what is no HTTP, or what the tap failed at, with a JSON-RPC error; then the connection ends."""
        if isinstance(exc, ConnectionError):  # noted by who met it
            raise exc
        why = "not understood as HTTP" if status == 400 else f"the tap failed: {type(exc).__name__}"
        self._note(status, why)
        if status != 400:
            self.log_exception("while handling a request", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("the response has begun already")
        answer = web.Response(status=status, body=rpc_error(f"auditor: {why}"), content_type="application/json")
        answer.force_close()
        return answer

    def _note(self, status: int, why: str) -> None:
        with contextlib.suppress(SpoolFull):  # then the tap is about to end
            self._sink.put(Trouble(0, time.time_ns(), "c2s", self.number, status, why))


class TapServer(web.Server):
    """Makes a `TapConnection` of every connection. A client that leaves cancels what is done for it."""

    def __init__(self, handler: Any, sink: Sink) -> None:
        super().__init__(handler, handler_cancellation=True)
        self.sink = sink
        self._count = 0

    def __call__(self) -> RequestHandler:
        self._count += 1
        return TapConnection(
            self, self._count, loop=self._loop, auto_decompress=False, access_log=None,
            max_line_size=MAX_HEAD_BYTES, max_field_size=MAX_HEAD_BYTES, keepalive_timeout=75.0,
        )  # fmt: skip
