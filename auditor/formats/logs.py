"""Logs that clients keep: Claude Desktop's `mcp*.log`, and the MCP output of VS Code.

Rules. A line with a message in it is one; its text ends where its JSON ends, whatever follows. Servers that share a log
are captures of their own, and so is each start of one. Lines of other kinds are passed over, but for what a server
wrote on stderr.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from auditor.formats.model import Happening, Item, Opening, Text, numbered_lines
from auditor.journal.records import Direction

CLAUDE = re.compile(r"^(\d{4}-\d\d-\d\dT[\d:.]+)Z (?:\[([^\]]*)\] )?\[(\w+)\] (.*)$", re.DOTALL)
VSCODE = re.compile(r"^(\d{4}-\d\d-\d\d [\d:.]+) \[(\w+)\] (.*)$", re.DOTALL)
_MESSAGE = re.compile(r"^Message from (client|server): (?=[{\[])")
_SAYS = re.compile(r"^\[(?:(Client|Server) Says|(editor|server) -> (?:server|editor))\] (?=[{\[])")
_STARTS = re.compile(r"^(?:Initializing server\b|Starting server (?!from\b))")
_STDERR = re.compile(r"^\[server stderr\] (.*)$", re.DOTALL)
_JSON = json.JSONDecoder()


def read_claude(path: Path) -> Iterator[Item]:
    """The items of a log of Claude Desktop, server after server. Times are UTC."""
    return _read(path, CLAUDE)


def read_vscode(path: Path) -> Iterator[Item]:
    """The items of a VS Code output. Its times have no zone and are taken as this machine's."""
    return _read(path, VSCODE)


def _read(path: Path, shape: re.Pattern[str]) -> Iterator[Item]:
    servers: dict[str, list[Item]] = {}
    for _, line in numbered_lines(path):
        m = shape.match(line.decode("utf-8", "replace"))
        when = _ns(m[1]) if m else None
        if not m or when is None:
            continue
        text = m[m.lastindex or 0]
        name = (m[2] or "") if shape is CLAUDE else ""
        _take(servers.setdefault(name, []), name, when, text)
    for items in servers.values():
        if any(not isinstance(item, Opening) for item in items):
            yield from items


def _take(items: list[Item], name: str, ts_ns: int, text: str) -> None:
    if _STARTS.match(text):
        if not items or not isinstance(items[-1], Opening):
            items.append(Opening(ts_ns, name=name or text.partition("Starting server ")[2].strip() or None))
        return
    item = _message(ts_ns, text)
    if item is not None:
        if not items:
            items.append(Opening(ts_ns, name=name or None))
        items.append(item)


def _message(ts_ns: int, text: str) -> Item | None:
    if m := _MESSAGE.match(text) or _SAYS.match(text):
        direction: Direction = "c2s" if next(filter(None, m.groups())) in ("client", "Client", "editor") else "s2c"
        data, torn = _json(text[m.end() :])
        return Text(ts_ns, direction, data, len(data) + 1, torn=torn)
    if m := _STDERR.match(text):
        return Happening(ts_ns, "stderr", text=m[1])
    return None


def _json(text: str) -> tuple[bytes, bool]:
    """The JSON that a text begins with; all of it, and that it is torn, where none ends."""
    try:
        end = _JSON.raw_decode(text)[1]
    except (ValueError, RecursionError):
        return text.encode("utf-8", "replace"), True
    return text[:end].encode("utf-8", "replace"), False


def _ns(text: str) -> int | None:
    try:
        when = datetime.fromisoformat(text)
        return round((when.replace(tzinfo=UTC) if "T" in text else when).timestamp() * 1_000_000) * 1000
    except (ValueError, OverflowError, OSError):
        return None


def looks_like(lines: Iterable[str], shape: re.Pattern[str]) -> bool:
    """Whether one of these lines holds a message as this log writes it."""
    found = (shape.match(line) for line in lines)
    return any(m and (_MESSAGE.match(m[m.lastindex or 0]) or _SAYS.match(m[m.lastindex or 0])) for m in found)
