"""Nothing that logs a client in reaches the disk; and batches, as a database has them in the end."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import aiohttp
from aiohttp import web

from .bench import RPC, serving
from .conftest import Tap

# Words of no known shape: only where they stand can give them away.
AUTHORIZATION, PROXY, COOKIE, SET_COOKIE, API_KEY, PARAMETER = (
    f"plum{n}" for n in ("apple", "birch", "cedar", "dog", "elm", "fir")
)
QUERY, OWN_QUERY, FRAGMENT, USER, REFERER, FORM = (
    f"plum{n}" for n in ("gorse", "hazel", "ivy", "juniper", "kiwi", "larch")
)
SECRETS = (
    AUTHORIZATION, PROXY, COOKIE, SET_COOKIE, API_KEY, PARAMETER, QUERY, OWN_QUERY, FRAGMENT, USER, REFERER, FORM,
)  # fmt: skip


async def logged_in(request: web.Request) -> web.StreamResponse:
    """A server that checks that all of it arrives, and hands out more."""
    if request.path == "/login":
        assert FORM in (await request.text())
        raise web.HTTPFound(f"/mcp?code={FORM}", headers={"Set-Cookie": f"sid={SET_COOKIE}"})
    message = json.loads(await request.read())
    sent = request.headers
    assert AUTHORIZATION in sent["Authorization"] and COOKIE in sent["Cookie"] and sent["X-Api-Key"] == API_KEY
    assert sent["Mcp-Param-Region"] == PARAMETER and REFERER in sent["Referer"]
    assert request.query["key"] == OWN_QUERY and request.query["access_token"] == QUERY and USER in request.query_string
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": {}}
    return web.json_response(answer, headers={"Set-Cookie": f"sid={SET_COOKIE}; Path=/"})


def test_what_logs_a_client_in_never_reaches_the_disk(tap: Callable[..., Tap], tmp_path: Path) -> None:
    async def main() -> Tap:
        async with serving(logged_in) as port, aiohttp.ClientSession() as client:
            through = await asyncio.to_thread(tap, f"http://127.0.0.1:{port}/mcp?key={OWN_QUERY}")
            headers = {
                **RPC, "Authorization": f"Bearer {AUTHORIZATION}", "Proxy-Authorization": f"Basic {PROXY}",
                "Cookie": f"sid={COOKIE}", "X-Api-Key": API_KEY, "Mcp-Param-Region": PARAMETER,
                "Referer": f"http://elsewhere.example/?{REFERER}",
            }  # fmt: skip
            ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            url = f"{through.url}?access_token={QUERY}&{USER}&sessionId=42#{FRAGMENT}"
            async with client.post(url, json=ping, headers=headers) as answer:
                assert (await answer.json())["id"] == 1 and SET_COOKIE in answer.headers["Set-Cookie"]
            async with client.post(
                through.url.replace("/mcp", "/login"), data={"password": FORM}, allow_redirects=False
            ) as answer:
                assert answer.status == 302 and FORM in answer.headers["Location"]
            return through

    through = asyncio.run(main())
    through.stop()
    assert through.query("SELECT count(*) FROM messages") == [(2,)]
    assert through.process.stderr is not None
    said = through.process.stderr.read()
    files = [f for f in tmp_path.rglob("*") if f.is_file()]
    assert {f.suffix for f in files} >= {".ndjson", ".duckdb"}
    ((path,),) = through.query("SELECT DISTINCT path FROM http_facts WHERE path LIKE '/mcp%'")
    assert re.fullmatch(r"/mcp\?access_token=\[(omitted|REDACTED:token:fp=\w+)\]&\[omitted\]&sessionId=42", path), path
    for secret in SECRETS:
        assert secret not in through.url and secret not in said
        assert [f.name for f in files if secret.encode() in f.read_bytes()] == [], secret


def test_batches_are_recorded_message_by_message(tap: Callable[..., Tap]) -> None:
    """As the revision 2025-03-26 has them: both ways in JSON, and back on a stream."""

    async def handler(request: web.Request) -> web.StreamResponse:
        asked = [m["id"] for m in json.loads(await request.read()) if "id" in m]
        said = json.dumps([{"jsonrpc": "2.0", "id": n, "result": {"content": []}} for n in reversed(asked)])
        if not asked:
            return web.Response(status=202)
        if 1 in asked:
            return web.Response(text=said, content_type="application/json")
        return web.Response(text=f"data: {said}\n\n", content_type="text/event-stream")

    def call(number: int) -> dict[str, object]:
        return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": f"tool{number}"}}

    note = {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}

    async def main() -> Tap:
        async with serving(handler) as port, aiohttp.ClientSession() as client:
            through = await asyncio.to_thread(tap, f"http://127.0.0.1:{port}/mcp")
            for batch in ([call(1), note, call(2)], [call(3), call(4)], [note]):
                async with client.post(through.url, json=batch, headers=RPC) as answer:
                    assert answer.status in (200, 202)
                    await answer.read()
            return through

    through = asyncio.run(main())
    through.stop()
    kept = [(r["dir"], r["batch"], r["env"].get("id")) for r in through.records() if r["k"] == "msg"]
    assert kept == [
        ("c2s", 0, "1"), ("c2s", 1, None), ("c2s", 2, "2"), ("s2c", 0, "2"), ("s2c", 1, "1"),
        ("c2s", 0, "3"), ("c2s", 1, "4"), ("s2c", 0, "4"), ("s2c", 1, "3"), ("c2s", 0, None),
    ]  # fmt: skip
    calls = through.query("SELECT tool, outcome FROM calls ORDER BY tool")
    assert calls == [(f"tool{n}", "ok") for n in range(1, 5)]
    assert through.query("SELECT count(*) FROM orphans") == [(0,)]
