"""From notes of HTTP exchanges to records: what the recorder does with them.

Rules. Only bodies of an MCP endpoint are kept; of any other exchange (metadata, logins, pages) there are facts
alone, for its body may be a credential as a whole. An exchange belongs to an endpoint when its path is the upstream's,
was named by an `endpoint` event, or when its headers or its message show it. A body in a coding that cannot be read is
never stored. An event that a resumed stream delivers again is noted, not recorded a second time.
"""

import hashlib
import time
from collections import OrderedDict
from functools import lru_cache
from typing import Any, Protocol
from urllib.parse import urljoin, urlsplit

import msgspec

from auditor.capture.http.coding import Decoder, Identity, Undecodable, decoder
from auditor.capture.http.traffic import Answered, AnyNote, Asked, Ended, Piece, RollCall, StillOpen, Trouble
from auditor.capture.writer import EventName
from auditor.journal.records import Direction, Http
from auditor.redact.result import Redaction
from auditor.wire.jsontext import Parsed, parse
from auditor.wire.sse import SseEvent, SseFramer

MAX_TEXT_BYTES = 512 << 20
"""A body or event above this is given up (and said to be): the recorder must not take the machine's memory."""
_REMEMBERED = 100_000  # events of which a redelivery is known
_LONGEST_FACT = 512  # characters of a header that a record keeps
END_LOST = "not recorded to its end"
_STREAMS = {"POST": "POST", "GET": "GET"}


class Writer(Protocol):
    """What takes the records: `capture.writer.CaptureWriter`, or who only wants to know them."""

    def line(
        self, direction: Direction, ts_ns: int, data: bytes, wire_bytes: int, *,
        ch: int = 0, http: Http | None = None, torn: bool = False,
    ) -> None:  # fmt: skip
        """Take a text of the channel `ch`."""

    def event(self, ts_ns: int, ev: EventName, **facts: Any) -> None:
        """Take something that is no message."""


class Redactor(Protocol):
    """Takes the secrets out of facts: `redact.redactor.CaptureRedactor`."""

    def url(self, url: str, where: str) -> tuple[str, list[Redaction]]:
        """Redact a URL."""

    def header(self, name: str, value: str) -> tuple[str, list[Redaction]]:
        """Redact the value of a header."""


class _Body:
    """One direction's body: decoded, gathered, or framed."""

    def __init__(self, content_encoding: str, *, framed: bool) -> None:
        self.wire_bytes = 0
        self.problem: str | None = None
        self.torn = False
        self.framer = SseFramer() if framed else None
        self._parts: list[bytes] = []
        self._size = 0
        try:
            self._decoder: Decoder | None = decoder(content_encoding)
        except Undecodable as e:
            self._give_up(str(e))

    def _give_up(self, problem: str) -> None:
        self.problem, self._decoder, self._parts = problem, None, []

    def feed(self, data: bytes) -> list[SseEvent]:
        self.wire_bytes += len(data)
        if self._decoder is None:
            return []
        try:
            text = self._decoder.feed(data)
        except Undecodable as e:
            self._give_up(f"its coding cannot be read: {e}")
            return []
        if self.framer is not None:
            events = self.framer.feed(text)
            if self.framer.pending_bytes > MAX_TEXT_BYTES:
                self._give_up("an event is larger than the recorder takes")
            return events
        self._size += len(text)
        if self._size > MAX_TEXT_BYTES:
            self._give_up("larger than the recorder takes")
        else:
            self._parts.append(text)
        return []

    def tear(self) -> list[SseEvent]:
        """A part of it was lost: give what was unfinished; what comes first is the rest of something."""
        self.torn = True
        if not isinstance(self._decoder, Identity):
            self._give_up("a part of it was lost")
        return self.framer.close() if self.framer is not None else []

    def is_between(self) -> bool:
        """Whether an event could begin here, with nothing before it needed."""
        return isinstance(self._decoder, Identity) and self.framer is not None and self.framer.pending_bytes == 0

    def text(self) -> bytes:
        return b"".join(self._parts)


class _Exchange:
    """What is known of an exchange that is under way."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.path = asked.target.partition("?")[0]
        self.sent = _Body(asked.headers.get("content-encoding", ""), framed=False)
        self.got: _Body | None = None
        self.request_facts = Http()
        self.response_facts = Http()
        self.path_hits: list[Redaction] = []
        self.endpoint: bool | None = None
        self.done: set[str] = set()

    def got_torn(self) -> bool:
        """Whether the next event follows a gap; asked once for it."""
        torn = self.got is not None and self.got.torn
        if self.got is not None:
            self.got.torn = False
        return torn


class Assembler:
    """Takes the notes of one capture in order and writes its records."""

    def __init__(self, writer: Writer, redactor: Redactor, endpoint_path: str) -> None:
        self._writer = writer
        self._redactor = redactor
        self._endpoints = {endpoint_path} if endpoint_path not in ("", "/") else set()
        self._open: dict[int, _Exchange] = {}
        self.muted = False  # what comes is in the journal already
        self._seen: OrderedDict[tuple[str | None, str], bytes] = OrderedDict()
        self._url = lru_cache(1024)(lambda target: redactor.url(target, "/path"))
        self._header = lru_cache(1024)(lambda name, value: redactor.header(name, value[:_LONGEST_FACT]))

    def feed(self, note: AnyNote) -> None:
        """Take the next note."""
        if isinstance(note, Trouble):
            facts = Http(conn=note.conn, status=note.status, error=note.why)
            self._put_event(note.ts_ns, note.dir, facts, [])
        elif isinstance(note, StillOpen):
            self._still_open(note)
        elif isinstance(note, RollCall):
            self._end_all_but(set(note.open), note.ts_ns, END_LOST)
        elif isinstance(note, Asked):
            exchange = self._open[note.ex] = _Exchange(note)
            self._ask(exchange, note)
        elif (found := self._open.get(note.ex)) is not None:
            self._go_on(found, note)
        else:
            self._beginning_lost(note)

    def _beginning_lost(self, note: Answered | Piece | Ended) -> None:
        """Take what is left of an exchange whose request was not recorded: its answer, or that there was more."""
        if isinstance(note, Answered):
            x = self._open[note.ex] = _Exchange(Asked(note.ex, note.ts_ns, "c2s", 0, "", "", {}))
            x.done.add("c2s")
            self._answer(x, note)
        elif isinstance(note, Piece) and not self.muted:
            self._writer.event(note.ts_ns, "gap", lost_bytes=len(note.data))

    def is_open(self, ex: int) -> bool:
        """Whether more is to come of an exchange."""
        return ex in self._open

    def is_between(self, ex: int) -> bool:
        """Whether nothing of an exchange is unfinished but that it is open."""
        x = self._open[ex]
        got = x.got
        return "c2s" in x.done and (got is None or (got.framer is not None and got.is_between()))

    def _still_open(self, note: StillOpen) -> None:
        if note.ex in self._open:
            return
        was, self.muted = self.muted, True
        self.feed(note.asked)
        if note.answered is not None:
            self.feed(note.answered)
        self.muted = was

    def gap(self, ts_ns: int) -> None:
        """Notes were lost here: what is unfinished has a hole."""
        for x in self._open.values():
            x.sent.tear()
            if x.got is not None:
                for event in x.got.tear():
                    self._sse(x, event, ts_ns)

    def close(self, ts_ns: int) -> None:
        """The capture ends: note what is open as cut off."""
        self._end_all_but(set(), ts_ns, "tap stopped")

    def _end_all_but(self, these: set[int], ts_ns: int, why: str) -> None:
        for ex in sorted(self._open.keys() - these):
            exchange = self._open[ex]
            for direction in ("c2s", "s2c"):
                if direction not in exchange.done:
                    self._go_on(exchange, Ended(ex, ts_ns, direction, why))

    def _go_on(self, exchange: _Exchange, note: Answered | Piece | Ended) -> None:
        if isinstance(note, Answered):
            self._answer(exchange, note)
        elif isinstance(note, Piece):
            self._piece(exchange, note)
        elif note.dir == "c2s":
            self._asked_whole(exchange, note.ts_ns, note.cut)
        else:
            self._answered_whole(exchange, note.ts_ns, note.cut)

    # The request

    def _ask(self, x: _Exchange, note: Asked) -> None:
        headers = note.headers
        path, x.path_hits = self._url(note.target)
        name, hits = self._fact(headers, "mcp-name")
        x.path_hits = [*x.path_hits, *hits]
        x.request_facts = Http(
            ex=note.ex, conn=note.conn or None, method=note.method[:32], path=path,
            ctype=self._fact(headers, "content-type")[0], accept=self._fact(headers, "accept")[0],
            session=headers.get("mcp-session-id"),
            proto=self._fact(headers, "mcp-protocol-version")[0], last_event_id=self._fact(headers, "last-event-id")[0],
            mcp_method=self._fact(headers, "mcp-method")[0], mcp_name=name,
        )  # fmt: skip
        x.endpoint = self._by_head(x, headers)
        if note.body:
            x.sent.feed(note.body)
        if note.whole:
            self._asked_whole(x, note.ts_ns, None)

    def _fact(self, headers: dict[str, str], name: str) -> tuple[str | None, list[Redaction]]:
        value = headers.get(name)
        return (None, []) if value is None else self._header(name, value)

    def _by_head(self, x: _Exchange, headers: dict[str, str]) -> bool | None:
        if "/.well-known/" in x.path:
            return False
        if x.path in self._endpoints:
            return True
        by_name = "mcp-session-id" in headers or "mcp-method" in headers
        return True if by_name or "text/event-stream" in headers.get("accept", "") else None

    def _is_endpoint(self, x: _Exchange) -> bool:
        """Whether a body of this exchange may be kept; an unknown path is told by its message."""
        if x.endpoint is None:
            lost = not x.asked.method  # then its answer has to tell
            parsed = parse(x.got.text() if lost and x.got is not None else x.sent.text())
            value: Any = parsed.value if isinstance(parsed, Parsed) else None
            first = value[0] if isinstance(value, list) and value else value
            x.endpoint = isinstance(first, dict) and "jsonrpc" in first
        if x.endpoint and x.sent.wire_bytes and len(self._endpoints) < 64:
            self._endpoints.add(x.path)
        return x.endpoint

    def _asked_whole(self, x: _Exchange, ts_ns: int, cut: str | None) -> None:
        x.done.add("c2s")
        self._record(x, "c2s", x.request_facts, x.sent, ts_ns, cut)
        self._forget(x)

    # The response

    def _answer(self, x: _Exchange, note: Answered) -> None:
        headers = note.headers
        ctype = self._fact(headers, "content-type")[0]
        x.response_facts = Http(
            ex=note.ex, conn=x.asked.conn or None, stream=_STREAMS.get(x.asked.method), status=note.status, ctype=ctype,
            session=headers.get("mcp-session-id") or x.request_facts.session, error=note.made_here,
        )  # fmt: skip
        framed = (ctype or "").startswith("text/event-stream")
        x.got = _Body(headers.get("content-encoding", ""), framed=framed)
        if framed:
            x.endpoint = x.endpoint is not False
            self._event(x, "s2c", note.ts_ns, msgspec.structs.replace(x.response_facts, sse_open=True))
        if note.body:
            self._piece(x, Piece(note.ex, note.ts_ns, "s2c", note.body))
        if note.whole:
            self._answered_whole(x, note.ts_ns, None)

    def _piece(self, x: _Exchange, note: Piece) -> None:
        if note.dir == "c2s":
            x.sent.feed(note.data)
        elif x.got is not None:
            for event in x.got.feed(note.data):
                self._sse(x, event, note.ts_ns)

    def _answered_whole(self, x: _Exchange, ts_ns: int, cut: str | None) -> None:
        x.done.add("s2c")
        body = x.got or _Body("", framed=False)
        if x.got is None:
            x.response_facts = Http(ex=x.asked.ex, conn=x.asked.conn, stream=_STREAMS.get(x.asked.method))
        if body.framer is not None:
            for event in body.framer.close():
                self._sse(x, event, ts_ns)
            closing = {"truncated": True} if cut else {"sse_close": True}
            facts = msgspec.structs.replace(
                x.response_facts, bytes=body.wire_bytes, error=cut or body.problem or x.response_facts.error, **closing
            )
            self._event(x, "s2c", ts_ns, facts)
        else:
            self._record(x, "s2c", x.response_facts, body, ts_ns, cut)
        self._forget(x)

    def _sse(self, x: _Exchange, event: SseEvent, ts_ns: int) -> None:
        facts = msgspec.structs.replace(
            x.response_facts, sse_event=event.name and event.name[:64], sse_id=event.id, bytes=len(event.data),
            truncated=True if event.torn else None,
        )  # fmt: skip
        if event.name == "endpoint":
            self._endpoint_event(x, event, facts, ts_ns)
        elif not event.data or self._again(x, event) or not x.endpoint:
            self._event(x, "s2c", ts_ns, facts)
        else:
            self._put_line("s2c", ts_ns, event.data, len(event.data), facts, torn=event.torn or x.got_torn())

    def _endpoint_event(self, x: _Exchange, event: SseEvent, facts: Http, ts_ns: int) -> None:
        target = event.data.decode("utf-8", "replace").strip()
        parts = urlsplit(urljoin("http://tap" + x.path, target))
        self._endpoints.add(parts.path)
        path, hits = self._redactor.url(target, "/path")
        self._put_event(ts_ns, "s2c", msgspec.structs.replace(facts, path=path), hits)

    def _again(self, x: _Exchange, event: SseEvent) -> bool:
        if event.id is None or event.torn:
            return False
        key = (x.response_facts.session, event.id)
        digest = hashlib.blake2b(event.data, digest_size=16).digest()
        known = self._seen.get(key)
        self._seen[key] = digest
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return known == digest and x.request_facts.last_event_id is not None

    # Both

    def _record(
        self, x: _Exchange, direction: Direction, facts: Http, body: _Body, ts_ns: int, cut: str | None
    ) -> None:
        facts = msgspec.structs.replace(
            facts,
            bytes=body.wire_bytes or None,
            truncated=True if cut else None,
            error=cut or body.problem or facts.error,
        )
        text = body.text()
        courtesy = facts.status in (202, 405) and not text.lstrip().startswith((b"{", b"["))
        if not text.strip() or courtesy or not self._is_endpoint(x):
            self._event(x, direction, ts_ns, facts)
            return
        hits = x.path_hits if direction == "c2s" else []
        if hits:
            self._event(x, direction, ts_ns, Http(ex=facts.ex, conn=facts.conn, path=facts.path))
        self._put_line(direction, ts_ns, text, body.wire_bytes, facts, torn=cut is not None or body.torn)

    def _event(self, x: _Exchange, direction: Direction, ts_ns: int, facts: Http) -> None:
        self._put_event(ts_ns, direction, facts, x.path_hits if direction == "c2s" else [])

    def _put_event(self, ts_ns: int, direction: Direction, facts: Http, hits: list[Redaction]) -> None:
        if not self.muted:
            self._writer.event(ts_ns, "http", dir=direction, http=facts, red=hits)

    def _put_line(
        self, direction: Direction, ts_ns: int, text: bytes, wire_bytes: int, facts: Http, *, torn: bool
    ) -> None:
        if not self.muted:
            self._writer.line(direction, ts_ns, text, wire_bytes, ch=facts.ex, http=facts, torn=torn)

    def _forget(self, x: _Exchange) -> None:
        if len(x.done) == 2:
            self._open.pop(x.asked.ex, None)


class DirectSink:
    """Records in the proxy's own process: for tests and for measuring, where nothing may go through a spool."""

    def __init__(self, assembler: Assembler) -> None:
        self._assembler = assembler

    def put(self, note: AnyNote) -> None:
        """Take a note and record it at once."""
        self._assembler.feed(note)

    def is_full(self) -> bool:
        """Never."""
        return False

    async def room(self) -> None:
        """There is always room."""

    def close(self) -> None:
        """Note what is open as cut off."""
        self._assembler.close(time.time_ns())
