"""Sessions told line by line, and what the tables say of them after a real import."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from auditor.formats.importer import import_file
from auditor.pipeline import reading, refresh

FORM = {"type": "object", "properties": {"environment": {"type": "string"}}, "required": ["environment"]}
META = "io.modelcontextprotocol/"


class Story:
    """One capture. Each line moves the clock on by a millisecond unless told otherwise."""

    def __init__(self, name: str, protocol: str | None = "2025-11-25", capabilities: Any = None) -> None:
        self.name = name
        self.protocol = protocol
        self.capabilities = (
            {"elicitation": {"form": {}, "url": {}}, "sampling": {}} if capabilities is None else capabilities
        )
        self.ts = 1_700_000_000.0
        self.lines: list[dict[str, Any]] = [{"ts": self.ts, "ev": "start", "cmd": [name], "pid": 1}]
        if protocol is not None and protocol < "2026":
            self.handshake()

    def handshake(self) -> "Story":
        params = {
            "protocolVersion": self.protocol,
            "capabilities": self.capabilities,
            "clientInfo": {"name": "c", "version": "1"},
        }
        self.client({"id": "init", "method": "initialize", "params": params})
        self.server({"id": "init", "result": {"protocolVersion": self.protocol, "capabilities": {}}})
        return self.client({"method": "notifications/initialized"})

    def after(self, seconds: float) -> "Story":
        self.ts += seconds
        return self

    def _say(self, direction: str, message: Any, **facts: Any) -> "Story":
        self.ts = round(self.ts + 0.001, 6)
        text = message if isinstance(message, str) else json.dumps(
            [{"jsonrpc": "2.0", **m} for m in message] if isinstance(message, list) else {"jsonrpc": "2.0", **message}
        )  # fmt: skip
        self.lines.append({"ts": self.ts, "dir": direction, "raw": text, **({"http": facts} if facts else {})})
        return self

    def client(self, message: Any, **http: Any) -> "Story":
        return self._say("c2s", message, **http)

    def server(self, message: Any, **http: Any) -> "Story":
        return self._say("s2c", message, **http)

    def call(
        self, rid: Any, tool: str = "deploy", arguments: Any = None, method: str = "tools/call", **more: Any
    ) -> "Story":
        key = "uri" if method == "resources/read" else "name"
        params: dict[str, Any] = {key: tool, **more}
        if method != "resources/read":
            params["arguments"] = arguments or {}
        if self.protocol and self.protocol >= "2026":
            params["_meta"] = {META + "protocolVersion": self.protocol, META + "clientCapabilities": self.capabilities}
        return self.client({"id": rid, "method": method, "params": params})

    def ask(self, rid: Any, message: str = "Which environment?", **params: Any) -> "Story":
        return self.server(
            {
                "id": rid,
                "method": "elicitation/create",
                "params": {"message": message, "requestedSchema": FORM, **params},
            }
        )

    def answer(self, rid: Any, action: str = "accept", content: Any = None) -> "Story":
        result = {
            "action": action,
            **({"content": content or {"environment": "staging"}} if action == "accept" else {}),
        }
        return self.client({"id": rid, "result": result})

    def done(self, rid: Any, text: str = "done", **more: Any) -> "Story":
        return self.server({"id": rid, "result": {"content": [{"type": "text", "text": text}], **more}})

    def fail(self, rid: Any, code: int, text: str = "failed", data: Any = None) -> "Story":
        return self.server({"id": rid, "error": {"code": code, "message": text, **({"data": data} if data else {})}})

    def want(self, rid: Any, keys: dict[str, str], state: str | None) -> "Story":
        """The server answers a call by asking for input."""
        requests = {
            key: {"method": "elicitation/create", "params": {"message": text, "mode": "form", "requestedSchema": FORM}}
            for key, text in keys.items()
        }
        result = {
            "resultType": "input_required",
            "inputRequests": requests,
            **({"requestState": state} if state else {}),
        }
        return self.server({"id": rid, "result": result})

    def retry(
        self, rid: Any, actions: dict[str, str], state: str | None, tool: str = "deploy", arguments: Any = None
    ) -> "Story":
        responses = {
            k: {"action": a, **({"content": {"environment": "x"}} if a == "accept" else {})} for k, a in actions.items()
        }
        return self.call(rid, tool, arguments, inputResponses=responses, **({"requestState": state} if state else {}))

    def cancel(self, rid: Any, who: str = "c2s", reason: str | None = None) -> "Story":
        params = {"requestId": rid, **({"reason": reason} if reason else {})}
        return self._say(who, {"method": "notifications/cancelled", "params": params})

    def event(self, **facts: Any) -> "Story":
        self.ts = round(self.ts + 0.001, 6)
        self.lines.append({"ts": self.ts, **facts})
        return self

    def bye(self, rc: int = 0) -> "Story":
        """The client closes, the server ends."""
        return self.event(ev="eof", dir="c2s").event(ev="eof", dir="s2c").event(ev="exit", rc=rc)

    def crash(self, rc: int = 3) -> "Story":
        return self.event(ev="eof", dir="s2c").event(ev="exit", rc=rc)


class Told:
    """What the database says of several stories, by their names."""

    def __init__(self, stories: list[Story], folder: Path) -> None:
        trace = folder / "stories.jsonl"
        trace.write_text("".join(json.dumps(line) + "\n" for s in stories for line in s.lines), "utf-8")
        db = folder / "stories.duckdb"
        import_file(trace, "trace", db)
        refresh(db)
        self._rows: dict[str, list[dict[str, Any]]] = {}
        with reading(db) as con:
            names = dict(con.execute("SELECT capture_id, cmd[1] FROM captures").fetchall())
            for table in (
                "messages",
                "sessions",
                "exchanges",
                "calls",
                "elicitations",
                "elicitation_fields",
                "tasks",
                "orphans",
            ):
                order = "first_seq" if table == "sessions" else "task_id" if table == "tasks" else "seq"
                cursor = con.execute(f"SELECT * FROM {table} ORDER BY capture_id, {order}")
                columns = [c[0] for c in cursor.description or []]
                self._rows[table] = [
                    {**dict(zip(columns, row, strict=True)), "story": names[row[columns.index("capture_id")]]}
                    for row in cursor.fetchall()
                ]

    def rows(self, table: str, story: str) -> list[dict[str, Any]]:
        return [r for r in self._rows[table] if r["story"] == story]

    def one(self, table: str, story: str) -> dict[str, Any]:
        rows = self.rows(table, story)
        assert len(rows) == 1, rows
        return rows[0]

    def orphans(self, story: str) -> set[str]:
        return {r["kind"] for r in self.rows("orphans", story)}

    def outcomes(self, story: str) -> list[str]:
        return [r["outcome"] for r in self.rows("elicitations", story)]


def pairs(told: Told, story: str) -> Iterator[tuple[str, int | None]]:
    """(id of the request, seq of its answer)."""
    for x in told.rows("exchanges", story):
        yield x["rpc_id"], x["answer_seq"]
