"""JSON-RPC messages and nothing else, one a line: who sent what is inferred, and marked so.

Rules. A request or notification goes the way that the protocol lets its method go; an answer goes against the
request it answers. Without times, a message has its line number, in microseconds.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from auditor.formats.model import Item, Opening, Text, numbered_lines, refuse
from auditor.journal.records import Direction
from auditor.wire.envelope import Envelope, envelope
from auditor.wire.jsontext import Malformed, parse

_SERVER_SAYS = {
    "elicitation/create", "sampling/createMessage", "roots/list", "notifications/message", "notifications/progress",
    "notifications/resources/updated", "notifications/resources/list_changed", "notifications/tools/list_changed",
    "notifications/prompts/list_changed", "notifications/elicitation/complete", "notifications/tasks/status",
}  # fmt: skip
_CLIENT_ANSWERS = ("action", "roots", "role")  # keys that only the result of a client has

Open = set[tuple[Direction, str | None, str | None]]


def read(path: Path) -> Iterator[Item]:
    """The messages of a file.

    Raises:
        InputError: with the number of the line that is no JSON-RPC message.
    """
    waiting: Open = set()
    begun = False
    for number, line in numbered_lines(path):
        parsed = parse(line)
        value = None if isinstance(parsed, Malformed) else parsed.value
        first = value[0] if isinstance(value, list) and value else value
        if not isinstance(first, dict) or not looks_like(first):
            raise refuse(path, number, "it is no JSON-RPC message")
        ts_ns = number * 1000
        if not begun:
            yield Opening(ts_ns, inferred_directions=True)
            begun = True
        yield Text(ts_ns, _direction(envelope(first), first, waiting), line, len(line) + 1)


def looks_like(value: Any) -> bool:
    """Whether a JSON value is a JSON-RPC message."""
    return isinstance(value, dict) and "jsonrpc" in value


def _direction(env: Envelope, value: dict[str, Any], waiting: Open) -> Direction:
    key = (env.id, env.id_type)
    if env.kind in ("result", "error"):
        return _answer(key, value, waiting)
    if env.method == "notifications/cancelled":
        ref = (env.ref, env.ref_type)
        return "s2c" if ("s2c", *ref) in waiting and ("c2s", *ref) not in waiting else "c2s"
    direction: Direction = "s2c" if env.method in _SERVER_SAYS else "c2s"
    if env.kind == "request":
        waiting.add((direction, *key))
    return direction


def _answer(key: tuple[str | None, str | None], value: dict[str, Any], waiting: Open) -> Direction:
    """The way of an answer; when both sides wait for that id, what the result holds decides."""
    asked_by_server, asked_by_client = ("s2c", *key) in waiting, ("c2s", *key) in waiting
    result = value.get("result")
    of_client = isinstance(result, dict) and any(k in result for k in _CLIENT_ANSWERS)
    if asked_by_server and (of_client or not asked_by_client):
        waiting.discard(("s2c", *key))
        return "c2s"
    waiting.discard(("c2s", *key))
    return "s2c"
