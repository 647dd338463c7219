"""Content levels below `full`: what users typed as types and lengths, or no bodies at all."""

from typing import Any


def shape_of(value: Any) -> Any:
    """A value as what it was like: `<string of 5>`, `<number>`, `<boolean>`; lists and objects by their parts."""
    if isinstance(value, str):
        return f"<string of {len(value)}>"
    if isinstance(value, bool):
        return "<boolean>"
    if isinstance(value, (int, float)):
        return "<number>"
    if isinstance(value, list):
        return [shape_of(v) for v in value]
    if isinstance(value, dict):
        return {k: shape_of(v) for k, v in value.items()}
    return value


def hidden(value: Any, answering: bool) -> Any:
    """A message with what a user typed hidden; the same object when it holds no answer."""
    if not answering or not isinstance(value, dict):
        return value
    result, params = value.get("result"), value.get("params")
    if isinstance(result, dict) and "content" in result:
        return {**value, "result": {**result, "content": shape_of(result["content"])}}
    if isinstance(params, dict) and isinstance(params.get("inputResponses"), dict):
        responses = {
            key: {**r, "content": shape_of(r["content"])} if isinstance(r, dict) and "content" in r else r
            for key, r in params["inputResponses"].items()
        }
        return {**value, "params": {**params, "inputResponses": responses}}
    return value


_PARAMS = ("name", "uri", "requestId", "reason", "progressToken", "taskId", "elicitationId", "mode", "protocolVersion",
           "requestState", "level", "progress", "total")  # fmt: skip
_RESULT = ("action", "isError", "resultType", "protocolVersion", "requestState", "taskId", "status", "ttl")


def metadata(value: Any) -> Any:
    """A message without its body: what names it, pairs it and says how it ended."""
    if not isinstance(value, dict):
        return None
    out = {k: value[k] for k in ("jsonrpc", "id", "method") if k in value}
    params, result, error = value.get("params"), value.get("result"), value.get("error")
    if isinstance(params, dict):
        out["params"] = _kept(params, _PARAMS, "inputResponses")
    if isinstance(result, dict):
        out["result"] = _kept(result, _RESULT, "inputRequests")
    elif "result" in value:
        out["result"] = {}
    if isinstance(error, dict):
        out["error"] = {"code": error.get("code"), "message": ""}
    return out


def _kept(holder: dict[str, Any], names: tuple[str, ...], keyed: str) -> dict[str, Any]:
    kept = {k: holder[k] for k in names if k in holder and not isinstance(holder[k], (dict, list))}
    meta = holder.get("_meta")
    if isinstance(meta, dict):
        kept["_meta"] = {k: v for k, v in meta.items() if k != "traceparent" or isinstance(v, str)}
    entries = holder.get(keyed)
    if isinstance(entries, dict):
        kept[keyed] = {
            key: {k: e[k] for k in ("method", "action") if k in e} if isinstance(e, dict) else {}
            for key, e in entries.items()
        }
    return kept
