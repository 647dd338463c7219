"""Recordings made elsewhere: the trace format, and what is refused."""

import base64
import json
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.errors import InputError, UsageError
from auditor.files import journals_dir
from auditor.formats import trace
from auditor.formats.importer import import_file
from auditor.journal.reader import read_journal
from auditor.journal.records import Event, Message, Oddity, Record, Seal, Start

CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"price":1.10}}}'
ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'
SESSION: list[dict[str, Any]] = [
    {"ts": 1796098886.110646, "ev": "start", "cmd": ["server", "--stdio"], "pid": 7},
    {"ts": 1796098886.2, "dir": "c2s", "raw": CALL},
    {"ts": 1796098886.300001, "dir": "s2c", "raw": ANSWER},
    {"ts": 1796098886.4, "ev": "eof", "dir": "c2s"},
    {"ts": 1796098886.5, "ev": "exit", "rc": 3},
]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store" / "a.duckdb"


def file(place: Path, lines: Sequence[dict[str, Any] | bytes]) -> Path:
    path = place / "x.jsonl"
    path.write_bytes(b"".join(x if isinstance(x, bytes) else json.dumps(x).encode() + b"\n" for x in lines))
    return path


def brought_in(db: Path, path: Path, fmt: str | None = "trace") -> list[list[Record]]:
    """The records of each capture that an import gave; every chain is whole."""
    out = []
    for capture in import_file(path, fmt, db):
        entries = list(read_journal(journals_dir(db) / f"{capture}.ndjson"))
        assert [e.problem for e in entries] == [None] * len(entries)
        out.append([e.record for e in entries if e.record is not None])
    return out


def test_a_trace_becomes_a_sealed_journal(tmp_path: Path, db: Path) -> None:
    ((begin, call, answer, eof, end, seal),) = brought_in(db, file(tmp_path, SESSION))
    assert isinstance(begin, Start)
    assert (begin.transport, begin.cmd, begin.pid, begin.source) == (
        "import", ["server", "--stdio"], 7, str(tmp_path / "x.jsonl"),
    )  # fmt: skip
    assert isinstance(call, Message)
    assert (call.raw, call.dir, call.bytes, call.ts_ns) == (CALL, "c2s", len(CALL) + 1, 1796098886200000000)
    assert isinstance(answer, Message)
    assert (answer.env.kind, answer.env.id, answer.ts_ns) == ("result", "1", 1796098886300001000)
    assert isinstance(eof, Event)
    assert (eof.ev, eof.dir) == ("eof", "c2s")
    assert isinstance(end, Event)
    assert (end.ev, end.rc) == ("exit", 3)
    assert isinstance(seal, Seal)
    assert seal.messages == 2


def test_importing_twice_changes_nothing(tmp_path: Path, db: Path) -> None:
    path = file(tmp_path, SESSION)
    first = import_file(path, "trace", db)
    journal = journals_dir(db) / f"{first[0]}.ndjson"
    before = journal.read_bytes(), journal.stat().st_mtime_ns
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    assert import_file(copy, None, db) == first
    assert (journal.read_bytes(), journal.stat().st_mtime_ns) == before
    assert [p.name for p in journals_dir(db).iterdir()] == [journal.name]


def test_what_is_imported_is_private(tmp_path: Path, db: Path) -> None:
    import_file(file(tmp_path, SESSION), "trace", db)
    modes = {stat.S_IMODE(p.stat().st_mode) for p in journals_dir(db).iterdir()}
    assert (modes, stat.S_IMODE(journals_dir(db).stat().st_mode)) == ({0o600}, 0o700)


def test_secrets_are_taken_out(tmp_path: Path, db: Path) -> None:
    secret = "sk-live-Zq8TgV2mXb71LwPd90RcYe"
    call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "t", "arguments": {"password": secret}}})  # fmt: skip
    web = {"ex": 1, "method": "POST", "path": f"/mcp?api_key={secret}"}
    lines = [SESSION[0], {"ts": 1, "dir": "c2s", "raw": call, "http": web}]
    import_file(file(tmp_path, lines), "trace", db)
    stored = b"".join(p.read_bytes() for p in db.parent.rglob("*") if p.is_file())
    assert secret.encode() not in stored
    assert b"password" in stored


def test_a_second_start_opens_another_capture(tmp_path: Path, db: Path) -> None:
    captures = brought_in(db, file(tmp_path, [*SESSION, *SESSION, SESSION[0]]))
    assert [[type(r).__name__ for r in c] for c in captures] == [
        ["Start", "Message", "Message", "Event", "Event", "Seal"],
        ["Start", "Message", "Message", "Event", "Event", "Seal"],
        ["Start", "Seal"],
    ]
    names = [c[0].capture for c in captures if isinstance(c[0], Start)]
    assert names[1:] == [names[0] + "-2", names[0] + "-3"]


def test_a_trace_without_a_start(tmp_path: Path, db: Path) -> None:
    ((begin, *_),) = brought_in(db, file(tmp_path, SESSION[1:]))
    assert isinstance(begin, Start)
    assert (begin.ts_ns, begin.cmd) == (1796098886200000000, [])


def test_times_may_begin_at_zero(tmp_path: Path, db: Path) -> None:
    ((_, *rest),) = brought_in(db, file(tmp_path, [{"ts": 0, "dir": "c2s", "raw": CALL}, {**SESSION[2], "ts": 0.25}]))
    assert [r.ts_ns for r in rest] == [0, 250_000_000, 250_000_000]


def test_bytes_that_are_no_text(tmp_path: Path, db: Path) -> None:
    """Both spellings of base64, and lone surrogates as Python's `surrogateescape` makes them."""
    data = b'{"jsonrpc":"2.0","id":1,"result":{"x":"\xff\xfe"}}'
    encoded = base64.b64encode(data).decode()
    lines = [
        {"ts": 1, "dir": "s2c", "raw": encoded, "b64": True}, {"ts": 1, "dir": "s2c", "raw": "lossy", "b64": encoded},
        {"ts": 1, "dir": "s2c", "raw": data.decode("utf-8", "surrogateescape")},
    ]  # fmt: skip
    ((_, *messages, _),) = brought_in(db, file(tmp_path, lines))
    assert len(messages) == 3
    for message in messages:
        assert isinstance(message, Message)
        assert message.env.id == "1"
        assert message.lenient
        assert message.error or base64.b64decode(message.b64 or "") == data  # whole, or not kept at all


def test_line_ends_and_torn_lines(tmp_path: Path, db: Path) -> None:
    lines = [
        {"ts": 1, "dir": "s2c", "raw": ANSWER + "\r", "crlf": True},
        {"ts": 1, "dir": "s2c", "raw": ANSWER[:20], "partial": True},
        {"ts": 1, "dir": "s2c", "raw": "junk"},
    ]
    ((_, whole, torn, junk, _),) = brought_in(db, file(tmp_path, lines))
    assert isinstance(whole, Message)
    assert (whole.raw, whole.bytes) == (ANSWER, len(ANSWER) + 2)
    assert isinstance(torn, Oddity)
    assert (torn.raw, torn.bytes) == (ANSWER[:20], 20)
    assert isinstance(junk, Oddity)


def test_http_facts(tmp_path: Path, db: Path) -> None:
    head = {"conn": 2, "ex": 5, "stream": "POST", "status": 200, "ctype": "text/event-stream", "session": "s"}
    lines = [
        {"ts": 1, "dir": "c2s", "raw": CALL, "http": {"ex": 5, "method": "POST", "path": "/mcp", "accept": "*/*"}},
        {"ts": 1, "dir": "s2c", "raw": "", "http": {**head, "sse_open": True}},
        {"ts": 1, "dir": "s2c", "raw": "/messages?id=1", "http": {**head, "sse_event": "endpoint"}},
        {"ts": 1, "dir": "s2c", "raw": ANSWER, "http": {**head, "sse_event": "message", "sse_id": "7"}},
        {"ts": 1, "dir": "s2c", "raw": "Accepted", "http": {"ex": 6, "status": 202}},
        {"ts": 1, "dir": "s2c", "raw": "{bad", "http": {"ex": 7, "status": 200, "ctype": "application/json"}},
    ]
    ((_, call, opened, endpoint, answer, accepted, bad, _),) = brought_in(db, file(tmp_path, lines))
    assert isinstance(call, Message)
    assert (call.ch, call.bytes) == (5, len(CALL))
    assert isinstance(opened, Event)
    assert opened.http is not None
    assert (opened.ev, opened.http.sse_open, opened.http.ex) == ("http", True, 5)
    assert isinstance(endpoint, Event)
    assert isinstance(answer, Message)
    assert answer.http is not None
    assert answer.http.sse_id == "7"
    assert isinstance(accepted, Event)
    assert accepted.text == "Accepted"
    assert isinstance(bad, Oddity)


def test_a_signal_is_no_exit_code(tmp_path: Path, db: Path) -> None:
    ((*_, end, _),) = brought_in(db, file(tmp_path, [*SESSION[:2], {"ts": 9, "ev": "exit", "rc": -9}]))
    assert isinstance(end, Event)
    assert (end.rc, end.signal) == (None, 9)


BAD: list[tuple[bytes | dict[str, Any], str]] = [
    (b"hello\n", "not JSON"), (b"[1]\n", "no JSON object"), (b"{}\n", "`ts`"), (b'{"ts":"1","dir":"c2s"}\n', "`ts`"),
    (b'{"ts":1e999,"dir":"c2s","raw":""}\n', "`ts`"), (b'{"ts":true,"dir":"c2s","raw":""}\n', "`ts`"),
    ({"ts": 10**30, "dir": "c2s", "raw": ""}, "`ts`"), ({"ts": 1, "dir": "up", "raw": ""}, "`dir`"),
    ({"ts": 1, "dir": "c2s"}, "`raw`"), ({"ts": 1, "dir": "c2s", "raw": "$", "b64": True}, "base64"),
    ({"ts": 1, "dir": "c2s", "raw": "", "http": 3}, "`http`"), ({"ts": 1, "ev": "start", "cmd": "x"}, "`cmd`"),
    ({"ts": 1, "dir": "c2s", "raw": "", "http": {"ex": 2**70}}, "`http`"), ({"ts": 1, "ev": 5}, "`ev`"),
    ({"ts": 1, "ev": "exit", "rc": 2**40}, "`rc`"), (b"[" * 100_000 + b"\n", "nested"), (b"\xff\n", "not UTF-8"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "said"), BAD)
@pytest.mark.parametrize("place", [0, 3])
def test_a_line_that_is_none_is_named_and_nothing_stays(
    tmp_path: Path, db: Path, bad: bytes | dict[str, Any], said: str, place: int
) -> None:
    path = file(tmp_path, [*SESSION[:place], bad, *SESSION[place:]])
    with pytest.raises(InputError, match=f"line {place + 1}: .*{said}") as refusal:
        import_file(path, "trace", db)
    assert "\n" not in str(refusal.value)
    assert refusal.value.exit_code == 3
    assert list(journals_dir(db).iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"\n\n  \n"])
def test_an_empty_file_is_refused(tmp_path: Path, db: Path, content: bytes) -> None:
    with pytest.raises(InputError, match="holds nothing"):
        import_file(file(tmp_path, [content]), None, db)


def test_a_missing_file_and_an_unknown_format(tmp_path: Path, db: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        import_file(tmp_path / "none", "trace", db)
    with pytest.raises(InputError, match="cannot be read"):
        import_file(tmp_path, None, db)
    with pytest.raises(UsageError, match="no format `xml`"):
        import_file(file(tmp_path, SESSION), "xml", db)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 10**6), gone=st.integers(0, 20), added=st.binary(max_size=20))
def test_any_damage_is_read_or_refused(tmp_path: Path, at: int, gone: int, added: bytes) -> None:
    """One type of error and no other."""
    path = file(tmp_path, SESSION)
    data = bytearray(path.read_bytes())
    at %= len(data)
    data[at : at + gone] = added
    path.write_bytes(bytes(data))
    try:
        assert list(trace.read(path))
    except InputError as e:
        assert "line " in str(e)


def test_lone_surrogates_in_what_is_no_message(tmp_path: Path, db: Path) -> None:
    odd = [
        {"ts": 1796098886.15, "ev": "stderr", "text": "a\ud800b"},
        {"ts": 1796098886.16, "ev": "warning", "text": "\ud800"},
    ]
    (capture,) = import_file(file(tmp_path, [SESSION[0], *odd, *SESSION[1:]]), "trace", db)
    journal = journals_dir(db) / f"{capture}.ndjson"
    assert [e.problem for e in read_journal(journal)] == [None] * 8
