"""HAR 1.2: what browsers' developer tools, mitmproxy and Charles save of HTTP traffic; of it, what is MCP.

Rules. Exchanges belong to MCP when their headers or a message show it, and so does all else at their address; the rest
of what a browser did is not looked at. Each origin is a capture. Where the file has no times for the events of a
stream, a question is put before its answer and the rest as late as that allows; the record says so.
"""

import base64
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from auditor.capture.http.assemble import Assembler
from auditor.capture.http.traffic import KEPT_HEADERS, Answered, AnyNote, Asked, Ended, Piece
from auditor.capture.writer import EventName
from auditor.errors import InputError
from auditor.formats.model import Happening, Item, Opening, Text
from auditor.journal.records import Direction, Http
from auditor.redact.result import Redaction
from auditor.wire.jsontext import Parsed, parse
from auditor.wire.sse import SseFramer

_MCP_HEADERS = ("mcp-session-id", "mcp-protocol-version", "mcp-method")
_LAST_S = 9_000_000_000  # the year 2255: the end of nanoseconds in 64 bits
_EVENTS = re.compile(rb".+?(?:\r\n\r\n|\n\n|\r\r|\Z)", re.DOTALL)
_GUESSED = "the file has no times for the events of its streams: they were put where the order of questions allows"


class _Header(msgspec.Struct):
    name: str
    value: str


class _Text(msgspec.Struct):
    """A body; `encoding` is base64 or nothing."""

    text: str | None = None
    encoding: str | None = None

    def data(self) -> bytes:
        if self.encoding == "base64":
            return base64.b64decode(self.text or "")
        return (self.text or "").encode("utf-8", "surrogatepass")


class _Request(msgspec.Struct, rename="camel"):
    method: str
    url: str
    headers: list[_Header] = []
    post_data: _Text | None = None


class _Response(msgspec.Struct):
    status: int
    headers: list[_Header] = []
    content: _Text = msgspec.field(default_factory=_Text)


class _Timings(msgspec.Struct):
    receive: float | None = None


class _Event(msgspec.Struct, rename="camel"):
    """An event as Chrome notes it."""

    time: float
    data: str
    event_name: str = ""
    event_id: str = ""

    def text(self) -> bytes:
        fields = [("event", self.event_name), ("id", self.event_id), *(("data", d) for d in self.data.split("\n"))]
        return ("".join(f"{k}: {v}\n" for k, v in fields if v or k == "data") + "\n").encode("utf-8", "surrogatepass")


class _Entry(msgspec.Struct, rename="camel"):
    started_date_time: str
    request: _Request
    response: _Response
    time: float = 0
    timings: _Timings = msgspec.field(default_factory=_Timings)
    connection: str | None = None
    events: list[_Event] | None = msgspec.field(default=None, name="_eventSourceMessages")


class _Log(msgspec.Struct):
    entries: list[_Entry]


class _Har(msgspec.Struct):
    log: _Log


def read(path: Path) -> Iterator[Item]:
    """The items of an archive, origin after origin.

    Raises:
        InputError: when the file cannot be read or is no HAR.
    """
    try:
        entries = msgspec.json.decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"), type=_Har).log.entries
        exchanges = [_Exchange(entry) for entry in entries]
    except OSError as e:
        raise InputError(f"{path} cannot be read: {e.strerror}") from e
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, OverflowError) as e:
        raise InputError(f"{path} is no HAR ({e}); nothing of this file was imported") from None
    places = {(x.origin, x.path) for x in exchanges if x.is_mcp}
    by_origin: dict[str, list[_Exchange]] = {}
    for x in sorted(exchanges, key=lambda x: x.began):
        if (x.origin, x.path) in places:
            by_origin.setdefault(x.origin, []).append(x)
    for origin, found in by_origin.items():
        yield from _capture(origin, found)


def looks_like(lines: list[bytes]) -> bool:
    """Whether a file that begins with these lines is a HAR."""
    head = b"".join(line[:100] for line in lines[:5])
    return b"".join(head.split()).startswith(b'{"log":{')


class _Exchange:
    """One entry, with its times in ns."""

    def __init__(self, entry: _Entry) -> None:
        self.entry = entry
        parts = urlsplit(entry.request.url)
        self.origin, self.path = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", parts.path or "/"
        self.target = self.path + (f"?{parts.query}" if parts.query else "")
        began = datetime.fromisoformat(entry.started_date_time).timestamp()
        if not 0 <= began < _LAST_S:
            raise ValueError("a time is out of range")
        self.began = round(began * 1_000_000) * 1000
        self.ended = self.began + max(_ns(entry.time), 1000)
        self.answered = max(self.ended - _ns(entry.timings.receive or 0), self.began + 1000)
        self.asked, self.answer = _kept(entry.request.headers), _kept(entry.response.headers)
        self.sent = entry.request.post_data.data() if entry.request.post_data else b""
        self.got = entry.response.content.data()
        self.is_stream = self.answer.get("content-type", "").startswith("text/event-stream")
        self.message = _message(self.sent)
        self.is_mcp = self.message is not None or any(h in self.asked for h in _MCP_HEADERS)

    def key(self, message: dict[str, Any]) -> tuple[str | None, str]:
        """What pairs a question with its answer."""
        return self.asked.get("mcp-session-id"), repr(message.get("id"))

    def notes(self, ex: int, conn: int, answers: dict[tuple[str | None, str], list[int]]) -> Iterator[AnyNote]:
        """What a tap would have noted; `answers` are the times at which the client answered."""
        response = self.entry.response
        yield Asked(ex, self.began, "c2s", conn, self.entry.request.method, self.target, self.asked, self.sent, True)
        if response.status <= 0:
            yield Ended(ex, self.ended, "s2c", "no answer")
        elif not self.is_stream:
            silent = response.content.text is not None or response.status in (202, 204)
            why = None if silent else "its body is not in the file"
            yield Answered(ex, self.ended, "s2c", response.status, self.answer, self.got, True, why)
        else:
            pieces = self._timed() if self.entry.events else self._placed(answers)
            first = min([self.answered, *(ts_ns for ts_ns, _ in pieces)])
            yield Answered(ex, first, "s2c", response.status, self.answer)
            for ts_ns, text in pieces:
                yield Piece(ex, ts_ns, "s2c", text)
            yield Ended(ex, self.ended, "s2c")

    def _timed(self) -> list[tuple[int, bytes]]:
        return [(min(max(_ns(e.time * 1000), self.began), self.ended), e.text()) for e in self.entry.events or []]

    def _placed(self, answers: dict[tuple[str | None, str], list[int]]) -> list[tuple[int, bytes]]:
        """The events, each as late as the client's answer to it, or to one behind it, allows."""
        placed: list[tuple[int, bytes]] = []
        latest = self.ended
        for text in reversed(_EVENTS.findall(self.got)):
            for event in SseFramer().feed(text):
                asked = _message(event.data)
                if asked is not None and "method" in asked and "id" in asked:
                    after = [at for at in answers.get(self.key(asked), []) if at > self.began]
                    latest = min([latest, *(at - 1000 for at in after[:1])])
            placed.append((latest, text))
        return placed[::-1]


def _capture(origin: str, exchanges: list[_Exchange]) -> Iterator[Item]:
    answers: dict[tuple[str | None, str], list[int]] = {}
    for x in exchanges:
        if x.message is not None and "method" not in x.message and "id" in x.message:
            answers.setdefault(x.key(x.message), []).append(x.began)
    connections: dict[str | None, int] = {None: 0}
    notes: list[AnyNote] = []
    for ex, x in enumerate(exchanges, 1):
        conn = connections.setdefault(x.entry.connection, len(connections))
        notes += x.notes(ex, conn, answers)
    notes.sort(key=lambda note: note.ts_ns)
    first = next(x for x in exchanges if x.is_mcp)
    items = _Items()
    assembler = Assembler(items, _AsItIs(), first.path)
    yield Opening(notes[0].ts_ns, upstream=origin + first.path)
    if any(x.is_stream and not x.entry.events for x in exchanges):
        yield Happening(notes[0].ts_ns, "warning", text=_GUESSED)
    for note in notes:
        assembler.feed(note)
        yield from items.taken()
    assembler.close(notes[-1].ts_ns)
    yield from items.taken()


class _Items:
    """Takes what a writer would, as items."""

    def __init__(self) -> None:
        self._items: list[Item] = []

    def line(
        self, direction: Direction, ts_ns: int, data: bytes, wire_bytes: int, *,
        ch: int = 0, http: Http | None = None, torn: bool = False,
    ) -> None:  # fmt: skip
        self._items.append(Text(ts_ns, direction, data, wire_bytes, ch, http, torn))

    def event(self, ts_ns: int, ev: EventName, **facts: Any) -> None:
        self._items.append(Happening(ts_ns, ev, facts.get("dir"), http=facts.get("http")))

    def taken(self) -> list[Item]:
        taken, self._items = self._items, []
        return taken


class _AsItIs:
    """Nothing is redacted here: the importer does it, to every format alike."""

    def url(self, url: str, where: str) -> tuple[str, list[Redaction]]:
        return url, []

    def header(self, name: str, value: str) -> tuple[str, list[Redaction]]:
        return value, []


def _ns(milliseconds: float) -> int:
    return round(min(max(milliseconds, 0.0), _LAST_S * 1000) * 1000) * 1000


def _kept(headers: list[_Header]) -> dict[str, str]:
    """What a record uses of the headers. Bodies in the file are decoded: their coding is gone."""
    named = {h.name.lower(): h.value for h in reversed(headers)}
    return {name: value for name, value in named.items() if name in KEPT_HEADERS and name != "content-encoding"}


def _message(body: bytes) -> dict[str, Any] | None:
    """The (first) JSON-RPC message of a body."""
    parsed = parse(body) if body[:200].lstrip().startswith((b"{", b"[")) else None
    value = parsed.value if isinstance(parsed, Parsed) else None
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, dict) and "jsonrpc" in first else None
