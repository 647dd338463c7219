"""Server-sent events.

Three rules. A line ends at LF, CR or CRLF, and a BOM before the first one is nothing. An event ends at an empty line;
several `data` lines are joined by LF. What stands behind the last empty line when the stream ends was never
dispatched: it is given all the same, and marked as torn.
"""

import re

import msgspec

_LINE_END = re.compile(rb"\r\n?|\n")
_BOM = b"\xef\xbb\xbf"


class SseEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event. `data` is empty where it only moves the id or the retry time; `name` is None where no `event` line
    named it (clients then call it `message`); `retry_ms` is the reconnection time that it asks for."""

    data: bytes
    name: str | None = None
    id: str | None = None
    retry_ms: int | None = None
    torn: bool = False


class SseFramer:
    """Cuts a stream of chunks into events: any split of the same bytes gives the same events, in linear time.

    The buffer is bounded only by the longest event, which nothing bounds; the caller that must not grow
    watches `pending_bytes`.
    """

    def __init__(self) -> None:
        self.pending_bytes = 0
        self._parts: list[bytes] = []  # of the line that has not ended
        self._first, self._after_cr = True, False
        self._reset()

    def _reset(self) -> None:
        self._data: list[bytes] = []
        self._data_bytes = 0
        self._name: str | None = None
        self._id: str | None = None
        self._retry_ms: int | None = None

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """Take the next chunk; give the events that it completes."""
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        if b"\n" not in chunk and b"\r" not in chunk:
            if chunk:
                self._parts.append(chunk)
                self.pending_bytes += len(chunk)
            return []
        self._after_cr = chunk.endswith(b"\r")
        self._parts.append(chunk)
        text = b"".join(self._parts)
        *lines, last = text.split(b"\n") if b"\r" not in text else _LINE_END.split(text)
        self._parts = [last] if last else []
        events = [event for line in lines if (event := self._line(line)) is not None]
        self.pending_bytes = self._data_bytes + len(last)
        return events

    def close(self) -> list[SseEvent]:
        """The stream ended: give what was not dispatched, if it said anything."""
        if self._parts:
            self._line(b"".join(self._parts))
        event = self._event(torn=True)
        self._parts, self.pending_bytes = [], 0
        return [event] if event is not None else []

    def _line(self, line: bytes) -> SseEvent | None:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        if not line:
            return self._event()
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
            self._data_bytes += len(value)
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")
        elif field == b"id" and b"\x00" not in value:
            self._id = value.decode("utf-8", "replace")
        elif field == b"retry" and value.isdigit() and len(value) < 16:
            self._retry_ms = int(value)
        return None

    def _event(self, torn: bool = False) -> SseEvent | None:
        data = b"\n".join(self._data)
        if not data and self._id is None and self._retry_ms is None:
            self._reset()
            return None
        event = SseEvent(data, self._name or None, self._id, self._retry_ms, torn)
        self._reset()
        return event
