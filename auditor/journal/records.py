"""What stands in a journal: its records and how they are chained.

Rules. One record is one line, `{"k":KIND,"seq":N,"ts_ns":T,…,"h":"<64 hex>"}`; `seq` counts from 0 without a hole.
`h` is SHA-256 over the previous record's `h` (its ASCII; nothing for the first) and the line up to, not including,
`,"h":`. The first record is a `start`; the last of a finished capture is a `seal`.

The format has one version, in the `start` record. A reader takes every version up to its own.
"""

import base64
import hashlib
from typing import Any, Literal

import msgspec

from auditor.redact.result import Redaction
from auditor.wire.envelope import Envelope

VERSION = 1

Direction = Literal["c2s", "s2c"]


class Http(msgspec.Struct, frozen=True, omit_defaults=True):
    """HTTP facts of a message or event; the names are those of the trace format. No header is kept whole."""

    ex: int = 0
    conn: int | None = None
    method: str | None = None
    path: str | None = None
    status: int | None = None
    ctype: str | None = None
    accept: str | None = None
    session: str | None = None
    proto: str | None = None
    stream: str | None = None
    sse_open: bool | None = None
    sse_event: str | None = None
    sse_id: str | None = None
    sse_close: bool | None = None
    truncated: bool | None = None
    last_event_id: str | None = None
    mcp_method: str | None = None
    mcp_name: str | None = None
    bytes: int | None = None
    error: str | None = None


class _Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="k", kw_only=True):
    seq: int
    ts_ns: int
    h: str = ""


class Start(_Record, frozen=True, tag="start"):
    """A capture begins. `cmd` and `env` are redacted; `transport` is stdio, http, process or import."""

    v: int
    capture: str
    transport: Literal["stdio", "http", "process", "import"]
    name: str | None = None
    cmd: list[str] = []
    env: dict[str, str] = {}
    cwd: str | None = None
    upstream: str | None = None
    pid: int | None = None
    host_os: str | None = None
    auditor: str = ""
    content: str = "full"
    policy: str | None = None
    key_id: str | None = None
    source: str | None = None
    inferred_directions: bool = False
    red: list[Redaction] = []


class Message(_Record, frozen=True, tag="msg"):
    """One JSON-RPC message. `raw` is its text as sent but for the secrets (`b64` instead where that is no
    UTF-8); `bytes` its size on the wire; `ch` its channel (0 on stdio, else the HTTP exchange); `batch` its place
    in a batch. `error` is set when redaction failed: then there is no text."""

    dir: Direction
    bytes: int
    env: Envelope
    ch: int = 0
    raw: str | None = None
    b64: str | None = None
    batch: int | None = None
    lenient: bool = False
    duplicates: bool = False
    error: str | None = None
    red: list[Redaction] = []
    http: Http | None = None


class Oddity(_Record, frozen=True, tag="odd"):
    """Bytes on a channel of messages that are none: junk, a torn line, a text no reader takes."""

    dir: Direction
    bytes: int
    why: str
    ch: int = 0
    raw: str | None = None
    b64: str | None = None
    red: list[Redaction] = []
    http: Http | None = None


class Event(_Record, frozen=True, tag="ev"):
    """Something that is no message: `eof` (dir), `exit` (rc, or signal), `stderr` (text), `gap` (lost bytes and
    messages), `http` (an exchange's head or end), `resume` (a new recorder went on), `warning` (text)."""

    ev: Literal["eof", "exit", "stderr", "gap", "http", "resume", "warning"]
    dir: Direction | None = None
    pid: int | None = None
    rc: int | None = None
    signal: int | None = None
    text: str | None = None
    lost_bytes: int | None = None
    lost_messages: int | None = None
    red: list[Redaction] = []
    http: Http | None = None


class Seal(_Record, frozen=True, tag="seal"):
    """The capture is over and complete: how many records of each kind came before, and how many bytes were lost."""

    messages: int
    oddities: int = 0
    events: int = 0
    lost_bytes: int = 0


Record = Start | Message | Oddity | Event | Seal

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


def encode(record: Record, previous: str) -> tuple[bytes, str]:
    """One line (with its LF) and its hash; `previous` is the hash of the record before, "" for the first.

    `record.h` is ignored. Lone surrogates, which no UTF-8 holds, are written as the escapes that they came as.
    """
    line = bytearray()
    digest = encode_onto(line, record, previous)
    return bytes(line), digest


def encode_onto(lines: bytearray, record: Record, previous: str) -> str:
    """`encode` at the end of other lines, with no copy made: a record may be large. Gives the hash."""
    start = len(lines)
    try:
        _encoder.encode_into(record, lines, -1)
    except UnicodeEncodeError:
        lines[start:] = _encoder.encode(_escaped(msgspec.to_builtins(record)))
    with memoryview(lines) as whole:
        digest = link(previous, whole[start:-1])
    lines[-1:] = b',"h":"%b"}\n' % digest.encode()
    return digest


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_escaped(k): _escaped(v) for k, v in value.items()}
    return [_escaped(v) for v in value] if isinstance(value, list) else value


def link(previous: str, body: bytes | memoryview) -> str:
    """The hash of a record whose line up to `,"h":` is `body`."""
    digest = hashlib.sha256(previous.encode())
    digest.update(body)
    return digest.hexdigest()


def split(line: bytes) -> tuple[bytes, str] | None:
    """A line (without its LF) as (body, hash), or None when it does not end in a hash."""
    if len(line) < 72 or line[-72:-66] != b',"h":"' or line[-2:] != b'"}':
        return None
    return line[:-72], line[-66:-2].decode("ascii", "replace")


def decode(line: bytes) -> Record:
    """Read one line.

    Raises:
        msgspec.DecodeError: when it is no record (`msgspec.ValidationError` is one of these).
    """
    return _decoder.decode(line)


def stored(data: bytes) -> dict[str, Any]:
    """`raw` or `b64`, as a record holds these bytes: text where they are UTF-8 without NUL."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(data).decode()}
    return {"b64": base64.b64encode(data).decode()} if "\x00" in text else {"raw": text}
