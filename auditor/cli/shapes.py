"""Rows of the listings as JSON objects; their keys are a contract with whoever reads them."""

import json
from collections.abc import Mapping
from typing import Any

from auditor.cli.values import iso, ms, rpc_id

Row = Mapping[str, Any]


def session(r: Row) -> dict[str, Any]:
    """One MCP session."""
    return {
        "capture": r["capture_id"],
        "session": r["session_id"],
        "transport": r["transport"],
        "server": {"name": r["server"], "version": r["server_version"]},
        "client": {"name": r["client"], "version": r["client_version"]},
        "protocol": r["protocol"],
        "name": r["name"],
        "cmd": r["cmd"],
        "source": r["source"],
        "started_at": iso(r["started_at"]),
        "ended_at": iso(r["ended_at"]),
        "end_reason": r["outcome"],
        "exit_code": r["exit_code"],
        "exit_signal": r["exit_signal"],
        "handshake": r["handshake"],
        "sealed": r["sealed"],
        "content_level": r["content_level"],
        "lost_bytes": r["lost_bytes"],
        "messages": r["messages"],
        "calls": r["calls"],
        "prompts": r["prompts"],
        "orphans": r["orphans"],
        "findings": r["findings"],
    }


def call(r: Row) -> dict[str, Any]:
    """One user-visible call with all its legs."""
    return {
        "capture": r["capture_id"],
        "session": r["session_id"],
        "seq": r["seq"],
        "rpc_id": rpc_id(r["rpc_id"], r["rpc_id_type"]),
        "method": r["method"],
        "tool": r["tool"],
        "legs": [rpc_id(leg["rpc_id"], leg["rpc_id_type"]) for leg in r["legs"]],
        "outcome": r["outcome"],
        "error_code": r["error_code"],
        "started_at": iso(r["started_at"]),
        "ended_at": iso(r["ended_at"]),
        "duration_ms": ms(r["duration_us"]),
        "human_ms": ms(r["human_us"]),
        "server_ms": ms(r["server_us"]),
        "prompts": r["prompts"],
        "task": r["task_id"],
    }


def elicitation(r: Row) -> dict[str, Any]:
    """One prompt, with its answer and the call it belongs to."""
    return {
        "capture": r["capture_id"],
        "session": r["session_id"],
        "seq": r["seq"],
        "item": r["item"],
        "rpc_id": rpc_id(r["rpc_id"], r["rpc_id_type"]),
        "key": r["key"],
        "carriage": r["carriage"],
        "kind": r["kind"],
        "mode": r["mode"],
        "message": r["message"],
        "url": r["url"],
        "elicitation_id": r["elicitation_id"],
        "fields": r["fields"] or [],
        "declared": r["declared"],
        "outcome": r["outcome"],
        "detail": r["detail"],
        "late_action": r["late_action"],
        "asked_at": iso(r["asked_at"]),
        "answered_at": iso(r["answered_at"]),
        "latency_ms": ms(r["latency_us"]),
        "parent": _parent(r),
        "attribution": {
            "tier": r["tier"],
            "confidence": r["confidence"],
            "evidence": r["evidence"],
            "candidates": [
                {"rpc_id": rpc_id(c["rpc_id"], c["rpc_id_type"]), "weight": c["weight"], "seq": c["seq"]}
                for c in r["candidates"]
            ],
        },
        "url_status": r["url_status"],
    }


def _parent(r: Row) -> dict[str, Any] | None:
    if r["parent_seq"] is None:
        return None
    return {
        "seq": r["parent_seq"],
        "rpc_id": rpc_id(r["parent_rpc_id"], r["parent_rpc_id_type"]),
        "method": r["parent_method"],
        "tool": r["tool"],
        "root_rpc_id": rpc_id(r["root_rpc_id"], r["root_rpc_id_type"]),
        "root_seq": r["root_seq"],
    }


def orphan(r: Row) -> dict[str, Any]:
    """Something left hanging."""
    return {
        "kind": r["kind"],
        "capture": r["capture_id"],
        "session": r["session_id"],
        "seq": r["seq"],
        "rpc_id": rpc_id(r["rpc_id"], r["rpc_id_type"]),
        "method": r["method"],
        "direction": r["direction"],
        "detail": r["detail"],
    }


def finding(r: Row) -> dict[str, Any]:
    """What a rule found."""
    return {
        "rule": r["rule"],
        "severity": r["severity"],
        "confidence": r["confidence"],
        "party": r["party"],
        "capture": r["capture_id"],
        "session": r["session_id"],
        "seq": r["seq"],
        "rpc_id": rpc_id(r["rpc_id"], r["rpc_id_type"]),
        "subject": r["subject"],
        "message": r["message"],
        "evidence": json.loads(r["evidence"]),
    }
