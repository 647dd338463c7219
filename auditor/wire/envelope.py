"""What a JSON-RPC message says about itself, without its payload.

Two rules. An id is (type, text): `1` and `"1"` are different ids, and `1.0` is `1` as JavaScript has it. Nothing
here raises on what a peer sent: what breaks JSON-RPC becomes a `problems` entry.
"""

import hashlib
import math
from typing import Any, Literal

import msgspec

Kind = Literal["request", "notification", "result", "error", "invalid"]
IdType = Literal["integer", "string", "number", "null", "other"]

_META = "io.modelcontextprotocol/"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_RETRY_KEYS = frozenset({"_meta", "inputResponses", "requestState"})


class Envelope(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts of one message that pairing and chains need. None of them is a payload.

    Ids and tokens are text beside their type. `state` and `params` are fingerprints (SHA-256, 16 hex digits):
    of `requestState`, and of method and params less what a retry changes. `keys` are the keys of `inputRequests`
    (of a result) or `inputResponses` (of a request). `ref` is the id that `notifications/cancelled` names.
    """

    kind: Kind
    method: str | None = None
    id: str | None = None
    id_type: IdType | None = None
    tool: str | None = None
    protocol: str | None = None
    token: str | None = None
    token_type: IdType | None = None
    task: str | None = None
    ref: str | None = None
    ref_type: IdType | None = None
    reason: str | None = None
    code: int | None = None
    is_error: bool | None = None
    result_type: str | None = None
    state: str | None = None
    params: str | None = None
    keys: list[str] | None = None
    action: str | None = None
    elicitation: str | None = None
    trace: str | None = None
    problems: list[str] = []


def rpc_id(value: Any) -> tuple[str, IdType]:
    """An id as (text, type).

    >>> rpc_id(1), rpc_id("1"), rpc_id(1.0), rpc_id(None)
    (('1', 'integer'), ('1', 'string'), ('1', 'integer'), ('null', 'null'))
    """
    if value is None:
        return "null", "null"
    if isinstance(value, str):
        return value, "string"
    if isinstance(value, bool):
        return str(value).lower(), "other"
    if isinstance(value, int):
        return str(value), "integer"
    if isinstance(value, float):
        if math.isfinite(value) and value.is_integer():
            return str(int(value)), "integer"
        return repr(value), "number"
    return fingerprint(value), "other"


def fingerprint(value: Any) -> str:
    """Equal values, equal 16 hex digits, whatever the order of keys."""
    try:
        data = msgspec.json.encode(value, order="sorted")
    except (TypeError, ValueError, RecursionError, UnicodeEncodeError):
        data = repr(value).encode("utf-8", "backslashreplace")
    return hashlib.sha256(data).hexdigest()[:16]


def envelope(value: Any) -> Envelope:
    """Read the envelope of one decoded message (one element of a batch)."""
    if not isinstance(value, dict):
        return Envelope("invalid", problems=["not_an_object"])
    facts: dict[str, Any] = {}
    problems = [] if value.get("jsonrpc") == "2.0" else ["jsonrpc"]
    has_id = "id" in value
    if has_id:
        facts["id"], facts["id_type"] = rpc_id(value["id"])
        if facts["id_type"] not in ("integer", "string"):
            problems.append("id")
    kind = _kind(value, has_id, problems)
    if kind in ("request", "notification"):
        _read_call(value, kind, facts, problems)
    elif kind == "result":
        _read_result(value["result"], facts)
    elif kind == "error":
        _read_error(value["error"], facts, problems)
    return Envelope(kind, problems=problems, **facts)


def _kind(value: dict[str, Any], has_id: bool, problems: list[str]) -> Kind:
    if "method" in value:
        if not isinstance(value["method"], str):
            problems.append("method")
            return "invalid"
        if "result" in value or "error" in value:
            problems.append("request_with_answer")
        return "request" if has_id else "notification"
    if "result" in value and "error" in value:
        problems.append("both")
    if "error" in value:
        return "error"
    if "result" in value:
        if not has_id:
            problems.append("no_id")
        return "result"
    problems.append("neither")
    return "invalid"


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _meta(holder: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    meta = _dict(holder.get("_meta"))
    if meta:
        facts["protocol"] = _text(meta.get(_META + "protocolVersion"))
        facts["trace"] = _text(meta.get("traceparent"))
        facts["task"] = _text(_dict(meta.get(_META + "related-task")).get("taskId"))
    return meta


def _read_call(value: dict[str, Any], kind: Kind, facts: dict[str, Any], problems: list[str]) -> None:
    method: str = value["method"]
    facts["method"] = method
    if kind == "request" and method.startswith("notifications/"):
        problems.append("notification_with_id")
    params = value.get("params")
    if not isinstance(params, dict):
        if params is not None:
            problems.append("params")
        params = {}
    meta = _meta(params, facts)
    token = meta.get("progressToken") if kind == "request" else params.get("progressToken")
    if token is not None:
        facts["token"], facts["token_type"] = rpc_id(token)
    if method in _NAMED:
        facts["tool"] = _text(params.get(_NAMED[method]))
        facts["params"] = fingerprint([method, {k: v for k, v in params.items() if k not in _RETRY_KEYS}])
        if "requestState" in params:
            facts["state"] = fingerprint(params["requestState"])
    responses = params.get("inputResponses")
    if isinstance(responses, dict):
        facts["keys"] = list(responses)
    if method == "initialize":
        facts["protocol"] = _text(params.get("protocolVersion"))
    elif method == "notifications/cancelled":
        if "requestId" in params:
            facts["ref"], facts["ref_type"] = rpc_id(params["requestId"])
        facts["reason"] = _text(params.get("reason"))
    facts["task"] = _text(params.get("taskId")) or facts.get("task")
    facts["elicitation"] = _text(params.get("elicitationId"))


def _read_result(result: Any, facts: dict[str, Any]) -> None:
    result = _dict(result)
    _meta(result, facts)
    facts["protocol"] = _text(result.get("protocolVersion")) or facts.get("protocol")
    facts["result_type"] = _text(result.get("resultType"))
    if isinstance(result.get("isError"), bool):
        facts["is_error"] = result["isError"]
    facts["action"] = _text(result.get("action"))
    task = _dict(result.get("task")).get("taskId") or result.get("taskId")
    facts["task"] = _text(task) or facts.get("task")
    requests = result.get("inputRequests")
    if isinstance(requests, dict):
        facts["keys"] = list(requests)
    if "requestState" in result:
        facts["state"] = fingerprint(result["requestState"])


def _read_error(error: Any, facts: dict[str, Any], problems: list[str]) -> None:
    error = _dict(error)
    code = error.get("code")
    if isinstance(code, int) and not isinstance(code, bool) and abs(code) < 2**63:
        facts["code"] = code
    else:
        problems.append("error_code")
    if not isinstance(error.get("message"), str):
        problems.append("error_message")
