"""The reverse proxy: one request in, one request out, and a note of everything before it is passed on.

Rules. Bytes of bodies pass as they came, at once. Who goes away on one side takes the other side along: a client
that leaves closes the request to the upstream, an upstream that breaks off breaks the client's connection off. No JSON
is read here.
"""

import asyncio
import itertools
import os
import socket
import time
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

import aiohttp
import msgspec
from aiohttp import hdrs
from aiohttp.web_request import BaseRequest
from yarl import URL

from auditor.capture.http.traffic import Answered, Asked, Ended, Piece, RollCall, Sink, StillOpen
from auditor.tap.http import headers as h
from auditor.tap.http import rewrite
from auditor.tap.http.server import Passed, TapConnection, rpc_error
from auditor.tap.http.upstream import Upstream
from auditor.tap.spool import SpoolFull

_MAX_METADATA_PATHS = 64
_BODILESS = frozenset({"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"})
CLIENT_LEFT, UPSTREAM_LEFT, TAP_STOPPED = "client closed", "upstream closed", "tap stopped"


class Proxy:
    """The handler of every request. `names` are the values of `Host` that are the tap's; None takes any."""

    def __init__(
        self, upstream: Upstream, client: aiohttp.ClientSession, sink: Sink, *, scheme: str = "http",
        names: frozenset[str] | None = None,
    ) -> None:  # fmt: skip
        self._upstream, self._client, self._sink = upstream, client, sink
        self._scheme, self._names = scheme, names
        self.origins = upstream.origins()
        self._numbers = itertools.count(1)
        self._metadata_paths: set[str] = set()
        self._open: dict[int, _Exchange] = {}
        self.stopping = False

    def is_metadata(self, path: str) -> bool:
        """Whether OAuth metadata is served at this path: by its name, or because a challenge named it."""
        return path in self._metadata_paths or rewrite.is_metadata(path)

    def learn(self, challenge: str) -> None:
        """Note where a `WWW-Authenticate` says that metadata is."""
        if len(self._metadata_paths) < _MAX_METADATA_PATHS and (path := rewrite.named_metadata(challenge)):
            self._metadata_paths.add(path)

    async def handle(self, request: BaseRequest) -> Passed:
        """Pass one request on."""
        if self._sink.is_full():
            await self._sink.room()
        ex = next(self._numbers)
        exchange = self._open[ex] = _Exchange(self, request, ex)
        try:
            try:
                return await exchange.run()
            except (asyncio.CancelledError, ConnectionError):
                exchange.cut_off(TAP_STOPPED if self.stopping else CLIENT_LEFT)
                raise
        except SpoolFull as e:
            if isinstance(request.transport, asyncio.Transport):
                request.transport.abort()
            raise ConnectionResetError("it cannot be recorded any more, and must not go on without") from e
        finally:
            del self._open[ex]

    def note_open(self) -> None:
        """Note anew what is open."""
        self._sink.put(RollCall(0, time.time_ns(), "c2s", list(self._open)))
        for exchange in list(self._open.values()):
            exchange.note_open()


class _Exchange:
    """One request and its response, under way."""

    def __init__(self, proxy: Proxy, request: BaseRequest, ex: int) -> None:
        self._p, self._request, self._ex = proxy, request, ex
        self._up, self._sink = proxy._upstream, proxy._sink
        self._target = _target(request)
        self._path = self._target.partition("?")[0]
        self._own = f"{proxy._scheme}://{request.headers.get(hdrs.HOST, '')}"
        self._ctype = request.headers.get(hdrs.CONTENT_TYPE, "")
        self._asked = self._answered = False
        self._asked_head: Asked | None = None
        self._answered_head: Answered | None = None

    # What is noted

    def _note_asked(self, headers: h.Headers, body: bytes | None) -> None:
        conn = self._request.protocol.number if isinstance(self._request.protocol, TapConnection) else 0
        method, whole = self._request.method, body is not None
        self._asked_head = Asked(
            self._ex, time.time_ns(), "c2s", conn, method, self._target, h.kept(headers), body or b"", whole
        )
        self._sink.put(self._asked_head)
        self._asked = whole

    def _note_answered(self, answer: aiohttp.ClientResponse, headers: h.Headers, body: bytes | None) -> None:
        whole = body is not None
        head = Answered(self._ex, time.time_ns(), "s2c", answer.status, h.kept(headers), body or b"", whole)
        self._sink.put(head)
        self._answered_head, self._answered = head, whole

    def _piece(self, direction: Any, data: bytes) -> None:
        self._sink.put(Piece(self._ex, time.time_ns(), direction, data))

    def _end(self, direction: Any, cut: str | None = None) -> None:
        if direction == "c2s":
            self._asked = True
        else:
            self._answered = True
        self._sink.put(Ended(self._ex, time.time_ns(), direction, cut))

    def note_open(self) -> None:
        """Note once more what an exchange that goes on began with."""
        if self._asked and not self._answered and self._asked_head is not None:
            asked = msgspec.structs.replace(self._asked_head, body=b"", whole=True)
            self._sink.put(StillOpen(self._ex, time.time_ns(), "c2s", asked, self._answered_head))

    def cut_off(self, why: str) -> None:
        """Note that the exchange ended before its end."""
        if not self._asked:
            self._end("c2s", why)
        if not self._answered:
            self._end("s2c", why)

    # What is passed on

    async def run(self) -> Passed:
        """Ask the upstream and answer the client."""
        headers = h.text_headers(self._request.raw_headers)
        if (refusal := self._refusal()) is not None:
            self._note_asked(headers, b"")
            return await self._answer_here(*refusal)
        body = await self._request_body(headers)
        try:
            answer = await self._ask(headers, body)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as e:
            return await self._failed(e)
        try:
            return await self._answer(answer)
        finally:
            answer.close() if not self._answered_whole(answer) else answer.release()

    def _refusal(self) -> tuple[int, str] | None:
        """A page that rebinds a name of its own to this address must not get through under the upstream's name."""
        host = _bare_host(self._request)
        if not host:
            return 400, "the request has no Host header"
        if self._p._names is not None and host not in self._p._names:
            return 403, "the Host header names another server than this tap"
        return None

    def _answered_whole(self, answer: aiohttp.ClientResponse) -> bool:
        return answer.content.at_eof() and answer.content.exception() is None

    async def _request_body(self, headers: h.Headers) -> bytes | AsyncIterator[bytes] | None:
        content = self._request.content
        if content.is_eof():
            data = content.read_nowait()
            self._note_asked(headers, data)
            return self._renamed_form(data) if data or self._request.method not in _BODILESS else None
        if self._request.headers.get(hdrs.EXPECT, "").lower() == "100-continue" and self._request.transport is not None:
            self._request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if self._is_form() and 0 < (self._request.content_length or 0) < rewrite.MAX_METADATA_BYTES:
            data = await content.read()
            self._note_asked(headers, data)
            return self._renamed_form(data)
        self._note_asked(headers, None)
        first = content.read_nowait()
        if first:
            self._piece("c2s", first)
        return self._streamed_body(first)

    async def _streamed_body(self, first: bytes) -> AsyncIterator[bytes]:
        if first:
            yield first
        async for data in self._request.content.iter_any():
            self._piece("c2s", data)
            yield data
            if self._sink.is_full():
                await self._sink.room()
        self._end("c2s")

    def _is_form(self) -> bool:
        return self._ctype.partition(";")[0].strip().lower() == "application/x-www-form-urlencoded"

    def _renamed_form(self, data: bytes) -> bytes:
        return rewrite.rename_bytes(data, [self._own], self._up.origin) if self._is_form() else data

    async def _ask(self, headers: h.Headers, body: bytes | AsyncIterator[bytes] | None) -> aiohttp.ClientResponse:
        outgoing = h.to_upstream(
            headers, upstream_host=self._up.host, upstream_origin=self._up.origin, own_origin=self._own,
            plain=self._p.is_metadata(self._path) or self._is_old_stream(),
        )  # fmt: skip
        if isinstance(body, bytes) and hdrs.CONTENT_LENGTH in outgoing:
            outgoing[hdrs.CONTENT_LENGTH] = str(len(body))
        url = _url(self._up.origin + self._upstream_target())
        return await self._p._client.request(
            self._request.method, url, headers=outgoing, data=body, allow_redirects=False
        )

    def _upstream_target(self) -> str:
        path, _, query = self._target.partition("?")
        if path == self._up.path:
            query = "&".join(q for q in (self._up.query, query) if q)
        elif query and self._own in unquote(query):
            query = rewrite.rename_text(query, [self._own], self._up.origin)
        return f"{path}?{query}" if query else path

    def _is_old_stream(self) -> bool:
        if self._request.method != "GET":
            return False
        sent = self._request.headers
        modern = "Mcp-Session-Id" in sent or "Mcp-Protocol-Version" in sent
        return not modern and "text/event-stream" in sent.get(hdrs.ACCEPT, "")

    async def _answer(self, answer: aiohttp.ClientResponse) -> Passed:
        is_old = self._is_old_stream() and answer.content_type == "text/event-stream"
        if self._p.is_metadata(self._path) and (answer.content_length or 0) < rewrite.MAX_METADATA_BYTES:
            return await self._answer_renamed(answer)
        headers = h.text_headers(answer.raw_headers)
        response = self._response(answer, headers)
        whole = answer.content.is_eof() and answer.content.exception() is None and not is_old
        if whole:
            data = answer.content.read_nowait()
            self._note_answered(answer, headers, data)
            await response.send_whole(self._request, data)
            return response
        self._note_answered(answer, headers, None)
        await response.prepare(self._request)
        rewriter = rewrite.EndpointRewriter(self._p.origins, self._own) if is_old else None
        return await self._stream(answer, response, rewriter)

    def _response(self, answer: aiohttp.ClientResponse, headers: h.Headers) -> Passed:
        if answer.status == 401:
            self._p.learn(answer.headers.get(hdrs.WWW_AUTHENTICATE, ""))
        renamed = h.to_client(headers, upstream_origins=self._p.origins, own_origin=self._own)
        return Passed(answer.status, answer.reason, renamed)

    async def _stream(
        self, answer: aiohttp.ClientResponse, response: Passed, rewriter: rewrite.EndpointRewriter | None
    ) -> Passed:
        try:
            async for data in answer.content.iter_any():
                self._piece("s2c", data)
                passing = rewriter.feed(data) if rewriter else data
                if passing:
                    await response.write(passing)
                if self._sink.is_full():
                    await self._sink.room()
            if rewriter and (rest := rewriter.flush()):
                await response.write(rest)
        except (aiohttp.ClientPayloadError, aiohttp.ClientOSError, TimeoutError):
            self._end("s2c", UPSTREAM_LEFT)
            if isinstance(transport := self._request.transport, asyncio.Transport):
                transport.abort()
            return response
        self._end("s2c")
        return response

    async def _answer_renamed(self, answer: aiohttp.ClientResponse) -> Passed:
        data = await answer.content.read()
        headers = h.text_headers(answer.raw_headers)
        self._note_answered(answer, headers, data)
        response = self._response(answer, headers)
        if answer.headers.get(hdrs.CONTENT_ENCODING, "identity") == "identity":
            data = rewrite.rename_bytes(data, self._p.origins, self._own)
        if self._request.method != "HEAD":
            response.content_length = len(data)
        await response.prepare(self._request)
        await response.write(data)
        return response

    # What the tap answers itself

    async def _failed(self, e: Exception) -> Passed:
        if self._request.transport is None:
            raise ConnectionResetError("the client has left") from e
        broken = self._request.content.exception() is not None
        if not self._asked:
            self._end("c2s", "not understood as a body" if broken else UPSTREAM_LEFT)
        if broken:
            return await self._answer_here(400, "the body of the request is broken")
        if isinstance(e, TimeoutError):
            return await self._answer_here(504, f"the upstream {self._up.origin} did not take the connection in time")
        return await self._answer_here(502, f"the upstream {self._up.origin} {_what_happened(e)}")

    async def _answer_here(self, status: int, why: str) -> Passed:
        self._sink.put(Answered(self._ex, time.time_ns(), "s2c", status, {}, b"", True, why))
        self._answered = True
        body = rpc_error(f"auditor: {why}")
        response = Passed(status, None, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        await response.send_whole(self._request, body)
        return response


@lru_cache(32)
def _url(text: str) -> URL:
    return URL(text, encoded=True)


def _target(request: BaseRequest) -> str:
    raw: str = request._message.path
    return raw if raw.startswith("/") else request.rel_url.raw_path_qs or "/"


def _bare_host(request: BaseRequest) -> str:
    host = request.headers.get(hdrs.HOST, "").lower()
    return host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host


def _what_happened(e: Exception) -> str:
    if isinstance(e, aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError):
        return "cannot be reached: its certificate or TLS is not accepted (--ca-file names another authority)"
    if isinstance(e, aiohttp.ClientConnectorError):
        cause = e.os_error
        if isinstance(cause, socket.gaierror):
            return "cannot be reached: its name is not known"
        return f"cannot be reached: {os.strerror(cause.errno) if cause.errno else type(cause).__name__}"
    if isinstance(e, aiohttp.ServerDisconnectedError):
        return "closed the connection without an answer"
    if isinstance(e, aiohttp.ClientResponseError):
        return "answered with what is no HTTP"
    return f"failed: {type(e).__name__}"
