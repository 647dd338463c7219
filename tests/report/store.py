"""A database filled by hand, for pages that no recording would give."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import duckdb

from auditor.store.database import connect

START = datetime(2026, 3, 1, 9, 0, 0)

HOSTILE = (
    "<script>window.hit=1</script></script><img src=x onerror=window.hit=2><svg onload=window.hit=3>"
    "\"'`{{7*7}}{% raw %}\u202egnp.exe\u2066\u2028javascript:window.hit=4"
    ' <a href="javascript:window.hit=5">go</a> %{x} &lt;b&gt;'
)


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; what is not given is null, or the zero of its type where it must not be."""
    columns = con.execute(
        "SELECT column_name, data_type, is_nullable FROM duckdb_columns()"
        " WHERE table_name = $table AND schema_name = 'main'",
        {"table": table},
    ).fetchall()
    zeros = {"VARCHAR": "", "BOOLEAN": False, "TIMESTAMP": START, "JSON": "{}"}
    values = []
    for row in rows:
        made = []
        for name, kind, nullable in columns:
            if name in row:
                made.append(row[name])
            elif nullable:
                made.append(None)
            else:
                made.append([] if kind.endswith("[]") else zeros.get(kind, 0))
        values.append(made)
    marks = ", ".join("?" for _ in columns)
    for made in values:
        con.execute(f"INSERT INTO {table} VALUES ({marks})", made)  # noqa: S608


def prompt(n: int, outcome: str = "accept", text: str = "Which environment?", **more: Any) -> dict[str, Any]:
    """A row of `elicitations`."""
    asked = START + timedelta(seconds=10 * n)
    answered = outcome in ("accept", "decline", "cancel")
    latency = 1_000_000 + 700_000 * (n % 17)
    return {
        "capture_id": "c1", "session_id": "c1.1", "seq": n, "item": 0, "rpc_id": str(n), "rpc_id_type": "integer",
        "carriage": "request", "kind": "elicitation", "mode": "form", "message": text, "fingerprint": "f",
        "asked_at": asked, "outcome": outcome, "latency_us": latency if answered else None,
        "closed_at": asked + timedelta(seconds=60), "tier": "deduced", "confidence": 1.0, "parent_tool": "deploy",
        "parent_method": "tools/call", "root_rpc_id": "1", "root_seq": 1, "evidence": ["the only open call"], **more,
    }  # fmt: skip


def fill(con: duckdb.DuckDBPyConnection, text: str) -> None:
    """Every table that the report reads, with `text` wherever a peer could have put its own words."""
    session = {"capture_id": "c1", "session_id": "c1.1"}
    capture = {"capture_id": "c1", "transport": "stdio", "name": text, "cmd": [text], "content_level": "full"}
    insert(con, "captures", [capture | {"started_at": START, "sealed": False, "lost_bytes": 12}])
    peers = {"server_name": text, "server_version": text, "client_name": text, "protocol": text}
    insert(con, "sessions", [session | peers | {"transport": "stdio", "end_reason": "client", "messages": 9}])
    insert(con, "messages", [{"capture_id": "c1", "seq": 1, "direction": "c2s", "kind": "request", "method": text}])
    insert(con, "calls", [session | {"seq": 1, "tool": text, "outcome": "ok"}])
    outcomes = ["accept", "decline", "cancel", "timeout", "timeout_inferred", "pending", "unsupported", text]
    candidates = [{"seq": 1, "rpc_id": text, "rpc_id_type": "string", "weight": 0.5}]
    said = dict.fromkeys(("parent_tool", "detail", "url", "late_action"), text)
    more = said | {"evidence": [text], "tier": "ambiguous", "candidates": candidates}
    insert(con, "elicitations", [prompt(n, outcome, text, **more) for n, outcome in enumerate(outcomes, 1)])
    insert(con, "elicitation_fields", [session | {"seq": 1, "name": text, "type": text, "sensitive": text}])
    orphan = {
        "kind": "request_unanswered",
        "seq": 1,
        "rpc_id": text,
        "method": text,
        "direction": "c2s",
        "detail": text,
    }
    insert(con, "orphans", [session | orphan])
    finding = {
        "severity": "violation",
        "confidence": "high",
        "party": "server",
        "seq": 1,
        "subject": text,
        "message": text,
    }
    insert(con, "findings", [session | finding | {"rule": rule} for rule in ("ELI-017", text)])
    insert(con, "redactions", [{"capture_id": "c1", "seq": 1, "place": text, "kind": text}])


__all__ = ["HOSTILE", "START", "connect", "fill", "insert", "prompt"]
