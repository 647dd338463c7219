"""The trace format: NDJSON, one object a line, `{"ts", "dir", "raw"}` or `{"ts", "ev"}`.

Rules. `raw` is the text as it passed: a CR at its end belongs to the line end, an empty one carries only HTTP
facts. Where the bytes were no UTF-8, `b64` is true and `raw` is base64, or `b64` is itself the base64. `partial` marks
what the stream ended in the middle of. A `ts` is seconds, since 1970 or since whatever the writer began with.
"""

import base64
import binascii
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from auditor.formats.model import Happening, Item, Opening, Text, numbered_lines, refuse, utf8
from auditor.journal.records import Direction, Http
from auditor.wire.jsontext import Malformed, parse

_LAST_S = 9_000_000_000  # the year 2255: the end of nanoseconds in 64 bits


class _Bad(Exception):
    """Why a line is no line of a trace."""


def read(path: Path) -> Iterator[Item]:
    """The items of a trace, in order; the first is an `Opening`, whether or not the file has a `start`.

    Raises:
        InputError: with the number of the line that is not understood.
    """
    opened = False
    for number, line in numbered_lines(path):
        try:
            item = _item(line)
        except _Bad as e:
            said = f"no trace ({e})" if not opened else str(e)
            raise refuse(path, number, said) from None
        if not opened and not isinstance(item, Opening):
            yield Opening(item.ts_ns)
        opened = True
        yield item


def looks_like(first: dict[str, Any]) -> bool:
    """Whether the first object of a file is a line of a trace."""
    return "ts" in first and ("ev" in first or ("dir" in first and "raw" in first))


def _item(line: bytes) -> Item:
    parsed = parse(line)
    if isinstance(parsed, Malformed):
        raise _Bad(f"it is {parsed.why}")
    value = parsed.value
    if not isinstance(value, dict):
        raise _Bad("it is no JSON object")
    ts_ns = _ts_ns(value.get("ts"))
    if "ev" in value:
        return _event(value, ts_ns)
    return _text(value, ts_ns)


def _ts_ns(ts: Any) -> int:
    """Seconds as nanoseconds; a float holds microseconds at best, so that is what is kept of it."""
    if isinstance(ts, bool) or not isinstance(ts, int | float) or not math.isfinite(ts) or abs(ts) > _LAST_S:
        raise _Bad("`ts` is no time in seconds")
    return round(ts * 1_000_000) * 1000


def _direction(value: Any) -> Direction:
    if value == "c2s":
        return "c2s"
    if value == "s2c":
        return "s2c"
    raise _Bad('`dir` is neither "c2s" nor "s2c"')


def _event(value: dict[str, Any], ts_ns: int) -> Item:
    ev = value["ev"]
    if ev == "start":
        cmd = value.get("cmd") or []
        if not isinstance(cmd, list) or not all(isinstance(word, str) for word in cmd):
            raise _Bad("`cmd` is no list of strings")
        return Opening(ts_ns, [utf8(w).decode("utf-8", "replace") for w in cmd], pid=_int(value, "pid"))
    if ev == "eof":
        return Happening(ts_ns, "eof", dir=_direction(value.get("dir")))
    if ev == "exit":
        rc = _int(value, "rc")
        killed = rc is not None and rc < 0
        return Happening(ts_ns, "exit", rc=None if killed else rc, signal=-rc if killed and rc is not None else None)
    if isinstance(ev, str):
        return Happening(
            ts_ns, "warning", text=f"an event that no trace has: {utf8(ev[:80]).decode('utf-8', 'replace')}"
        )
    raise _Bad("`ev` is no string")


def _int(value: dict[str, Any], key: str) -> int | None:
    found = value.get(key)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int) or abs(found) >= 2**31:
        raise _Bad(f"`{key}` is no number that fits")
    return found


def _text(value: dict[str, Any], ts_ns: int) -> Item:
    direction, http = _direction(value.get("dir")), _http(value.get("http"))
    raw, b64 = value.get("raw"), value.get("b64")
    if not isinstance(raw, str):
        raise _Bad("`raw` is no text")
    data = _decoded(b64 if isinstance(b64, str) else raw) if b64 else utf8(raw)
    if http is not None and not data:
        return Happening(ts_ns, "http", dir=direction, http=http)
    if http is not None and direction == "s2c" and _is_no_message(http) and isinstance(parse(data), Malformed):
        return Happening(ts_ns, "http", dir=direction, http=http, text=data.decode("utf-8", "replace"))
    torn = value.get("partial") is True
    wire_bytes = len(data) + (http is None and not torn)
    if http is None and not torn:
        data = data.removesuffix(b"\r")
    return Text(ts_ns, direction, data, wire_bytes, http.ex if http else 0, http, torn)


def _is_no_message(http: Http) -> bool:
    """Whether what HTTP says of a text makes it no message: a body that is neither JSON nor a stream, or an SSE
    event of another name (`endpoint` of the old transport)."""
    kind = http.ctype or ""
    return http.sse_event not in (None, "message") if "event-stream" in kind else "json" not in kind


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise _Bad("its base64 cannot be read") from None


def _http(value: Any) -> Http | None:
    if value is None:
        return None
    try:
        http = msgspec.convert(value, Http)
    except (msgspec.ValidationError, RecursionError) as e:
        raise _Bad(f"`http` is not understood: {e}") from None
    if not 0 <= http.ex < 2**63 or any(n is not None and abs(n) >= 2**31 for n in (http.status, http.conn)):
        raise _Bad("a number in `http` is out of range")
    return http
