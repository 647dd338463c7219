"""Journals for tests: written record by record, with the real encoder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import msgspec

from auditor.journal.records import Event, Http, Message, Oddity, Record, Seal, Start, encode
from auditor.redact.result import Redaction
from auditor.wire.envelope import envelope

T0_NS = 1_796_098_886 * 10**9
BASE = ("captures", "messages", "redactions", "events", "http_facts", "oddities")


def start(capture: str, **facts: Any) -> Start:
    """A start record of a stdio capture."""
    return Start(seq=0, ts_ns=T0_NS, v=1, capture=capture, transport="stdio", cmd=["server", "--stdio"], **facts)


def say(direction: str, **message: Any) -> Message:
    """A message; its seq is set when it is written."""
    message = {"jsonrpc": "2.0", **message}
    raw = msgspec.json.encode(message).decode()
    return Message(seq=0, ts_ns=0, dir=direction, bytes=len(raw) + 1, env=envelope(message), raw=raw)  # type: ignore[arg-type]


def conversation(calls: int = 2) -> list[Record]:
    """A small session of the 2025-11-25 revision, with everything that a journal can hold in it."""
    out: list[Record] = [
        say("c2s", id=0, method="initialize", params={"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "c", "version": "1"}}),
        say("s2c", id=0, result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "s", "version": "1"}}),
        say("c2s", method="notifications/initialized"),
    ]  # fmt: skip
    for n in range(1, calls + 1):
        out.append(say("c2s", id=n, method="tools/call", params={"name": "deploy", "arguments": {"n": n, "ä": "…"}}))
        out.append(say("s2c", id=n, result={"content": [], "isError": False}))
    secret = msgspec.structs.replace(out[-1], red=[Redaction("/result/content/0", "token", "ab12")])
    web = msgspec.structs.replace(out[-2], http=Http(ex=3, conn=1, session="s-1", status=200, stream="POST"), ch=3)
    out[-2:] = [web, secret]
    out.append(Oddity(seq=0, ts_ns=0, dir="s2c", bytes=5, why="not JSON", raw="junk"))
    out.append(Event(seq=0, ts_ns=0, ev="stderr", text="hello"))
    out.append(Event(seq=0, ts_ns=0, ev="gap", lost_bytes=7, lost_messages=2))
    out.append(Event(seq=0, ts_ns=0, ev="exit", rc=3))
    return out


def lines(capture: str, records: Sequence[Record], *, sealed: bool = True) -> list[bytes]:
    """The lines of a journal (each with its LF), start and seal included."""
    chain: list[Record] = [start(capture), *records]
    if sealed:
        messages = sum(isinstance(r, Message) for r in records)
        chain.append(Seal(seq=0, ts_ns=0, messages=messages))
    out, previous = [], ""
    for seq, record in enumerate(chain):
        line, previous = encode(msgspec.structs.replace(record, seq=seq, ts_ns=T0_NS + seq * 10**6), previous)
        out.append(line)
    return out


def write(folder: Path, capture: str, data: Sequence[bytes]) -> Path:
    """Put a journal into a folder of journals."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{capture}.ndjson"
    path.write_bytes(b"".join(data))
    return path


def dump(con: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the base tables, in one order."""
    return {t: sorted(con.execute("FROM " + t).fetchall(), key=repr) for t in BASE}


def count(con: duckdb.DuckDBPyConnection, table: str) -> int:
    """How many rows a table has."""
    return len(con.execute("FROM " + table).fetchall())
