"""A HAR as a browser saves it: a session with a prompt, another page's traffic, and what logged both in."""

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.errors import InputError
from auditor.files import journals_dir
from auditor.formats.detect import detect
from auditor.formats.importer import import_file
from auditor.pipeline import reading, refresh

ORIGIN, SESSION = "https://mcp.example.com", "0b1c5d7e"
TOKEN, COOKIE, QUERY = "plumgorsehazelivy", "plumjuniperkiwi", "plumlarchmaple"


def entry(
    second: float, sent: Any = None, got: str | None = None, *, method: str = "POST", took: float = 0.5,
    path: str = f"/mcp?key={QUERY}", status: int = 200, ctype: str = "application/json", **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """One entry, as Chrome 140 writes it."""
    asked = {
        ":authority": "mcp.example.com", "Accept": "application/json, text/event-stream", "Cookie": f"sid={COOKIE}",
        "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json",
        **({"Mcp-Session-Id": SESSION} if path.startswith("/mcp") else {}),
    }  # fmt: skip
    content = {"size": len(got or ""), "mimeType": ctype, **({} if got is None else {"text": got})}
    return {
        "startedDateTime": f"2026-03-01T10:00:{second:06.3f}Z", "time": took * 1000, "connection": "443", "cache": {},
        "request": {
            "method": method, "url": ORIGIN + path, "httpVersion": "h2", "cookies": [], "queryString": [],
            "headers": [{"name": k, "value": v} for k, v in asked.items()], "headersSize": -1, "bodySize": -1,
            **({} if sent is None else {"postData": {"mimeType": "application/json", "text": json.dumps(sent)}}),
        },
        "response": {
            "status": status, "statusText": "", "httpVersion": "h2", "cookies": [{"name": "sid", "value": COOKIE}],
            "headers": [{"name": "content-type", "value": ctype}, {"name": "Content-Encoding", "value": "br"}],
            "content": content, "redirectURL": "", "headersSize": -1, "bodySize": -1,
        },
        "timings": {"blocked": 1, "dns": -1, "connect": -1, "send": 0.1, "wait": 10, "receive": took * 1000 - 12},
        **more,
    }  # fmt: skip


def result(number: int, value: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": value})


def request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


FORM = {"type": "object", "properties": {"colour": {"type": "string"}}}
PROMPT = request(0, "elicitation/create", message="Which paint?", requestedSchema=FORM)
STREAM = f"id: 1\nevent: message\ndata: {json.dumps(PROMPT)}\n\ndata: {result(2, {'content': []})}\n\n"
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "page", "version": "1"},
}
SERVER = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "paints", "version": "1"}}
NOTE = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "dry"}}
ENTRIES = [
    entry(1, request(1, "initialize", **HELLO), result(1, SERVER)),
    entry(2, {"jsonrpc": "2.0", "method": "notifications/initialized"}, status=202),
    entry(3, request(2, "tools/call", name="paint", arguments={}), STREAM, took=9, ctype="text/event-stream"),
    entry(2.5, got="", method="GET", took=20, ctype="text/event-stream", _eventSourceMessages=[
        {"time": 1772359209.5, "eventName": "message", "eventId": "7", "data": json.dumps(NOTE, indent=1)},
    ]),
    entry(7, json.loads(result(0, {"action": "accept", "content": {"colour": "red"}})), status=202),
    entry(13, request(3, "tools/list"), None),
    entry(14, request(4, "ping"), "", status=0),
    entry(5, {"password": "hunter2-secret"}, '{"access_token":"hunter2-token"}', path="/login"),
]  # fmt: skip


def har(folder: Path, entries: list[Any], **options: Any) -> Path:
    path = folder / "session.har"
    log = {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": entries}
    path.write_text(json.dumps({"log": log}, **options), "utf-8")
    return path


@pytest.mark.parametrize("indent", [None, 2])
def test_a_session_of_a_browser(indent: int | None, tmp_path: Path) -> None:
    path, db = har(tmp_path, ENTRIES, indent=indent), tmp_path / "a.duckdb"
    assert detect(path) == "har"
    assert import_file(path, None, db) == import_file(path, "har", db)
    refresh(db)
    with reading(db) as con:
        messages = con.execute("SELECT direction, kind, rpc_id FROM messages ORDER BY seq").fetchall()
        assert messages == [
            ("c2s", "request", "1"), ("s2c", "result", "1"), ("c2s", "notification", None), ("c2s", "request", "2"),
            ("s2c", "request", "0"), ("c2s", "result", "0"), ("s2c", "notification", None), ("s2c", "result", "2"),
            ("c2s", "request", "3"), ("c2s", "request", "4"),
        ]  # fmt: skip
        assert con.execute("SELECT tool, outcome, epoch(ended_at - started_at) FROM calls").fetchall() == [
            ("paint", "ok", 9.0)
        ]
        asked = con.execute("SELECT tier, outcome, message FROM elicitations").fetchall()
        assert asked == [("explicit", "accept", "Which paint?")]
        facts = con.execute("SELECT DISTINCT path, session_header FROM http_facts WHERE path IS NOT NULL").fetchall()
        assert facts == [("/mcp?key=[omitted]", SESSION)]
        errors = con.execute("SELECT error FROM http_facts WHERE error IS NOT NULL ORDER BY seq").fetchall()
        assert errors == [("its body is not in the file",), ("no answer",)]
        assert con.execute("SELECT upstream FROM captures").fetchall() == [(f"{ORIGIN}/mcp",)]
    for file in (*journals_dir(db).iterdir(), db):
        kept = file.read_bytes()
        assert not [s for s in (TOKEN, COOKIE, QUERY, "hunter2", "/login") if s.encode() in kept]


def test_a_body_in_base64_and_two_origins(tmp_path: Path) -> None:
    """As mitmproxy and Charles save bodies that are no text."""
    there = entry(3, request(1, "ping"), "eyJqc29ucnBjIjoiMi4wIiwiaWQiOjEsInJlc3VsdCI6e319")
    there["response"]["content"]["encoding"] = "base64"
    here = entry(1, request(5, "ping"), result(5, {}))
    here["request"]["url"] = "http://user:pass@127.0.0.1:8000/"
    db = tmp_path / "a.duckdb"
    assert len(import_file(har(tmp_path, [there, here]), None, db)) == 2
    refresh(db)
    with reading(db) as con:
        joined = "SELECT upstream, list(rpc_id ORDER BY m.seq) FROM messages m JOIN captures USING (capture_id)"
        kept = con.execute(f"{joined} GROUP BY 1 ORDER BY 1").fetchall()
    assert kept == [("http://127.0.0.1:8000/", ["5", "5"]), (f"{ORIGIN}/mcp", ["1", "1"])]


@pytest.mark.parametrize(("change", "why"), [
    ({"startedDateTime": "yesterday"}, "no HAR"), ({"startedDateTime": "9999-01-01T00:00:00Z"}, "out of range"),
    ({"request": None}, "no HAR"),
])  # fmt: skip
def test_what_is_no_har_is_refused(change: dict[str, Any], why: str, tmp_path: Path) -> None:
    path = har(tmp_path, [entry(1, request(1, "ping"), ""), entry(2, request(1, "ping"), "") | change])
    with pytest.raises(InputError, match=why):
        import_file(path, None, tmp_path / "a.duckdb")
    assert list(journals_dir(tmp_path / "a.duckdb").iterdir()) == []


def test_a_har_without_mcp_holds_nothing(tmp_path: Path) -> None:
    path = har(tmp_path, [])
    with pytest.raises(InputError, match="nothing to import"):
        import_file(path, None, tmp_path / "a.duckdb")
