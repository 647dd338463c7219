"""Which format a file has: its name from the user, or a look at its beginning."""

from itertools import islice
from pathlib import Path

from auditor.errors import UsageError
from auditor.formats import har, journal, logs, ndjson, trace
from auditor.formats.model import Reader, numbered_lines
from auditor.wire.jsontext import Parsed, parse

READERS: dict[str, Reader] = {
    "trace": trace.read, "journal": journal.read, "jsonrpc": ndjson.read, "claude": logs.read_claude,
    "vscode": logs.read_vscode, "har": har.read,
}  # fmt: skip
_LOOK = 200  # lines of a log before its first message must have come


def reader_for(path: Path, fmt: str | None) -> Reader:
    """The reader of a file; `fmt` None finds it by looking.

    Raises:
        UsageError: when there is no format of that name.
        InputError: when the file cannot be read.
    """
    if fmt is not None and fmt not in READERS:
        raise UsageError(f"there is no format `{fmt}`; these are: {', '.join(sorted(READERS))}")
    return READERS[fmt or detect(path)]


def detect(path: Path) -> str:
    """The format that a file seems to have; a trace, when it seems to have none.

    Raises:
        InputError: when the file cannot be read.
    """
    head = [line for _, line in islice(numbered_lines(path), _LOOK)]
    if har.looks_like(head):
        return "har"
    parsed = parse(head[0]) if head else None
    if isinstance(parsed, Parsed):
        first = parsed.value[0] if isinstance(parsed.value, list) and parsed.value else parsed.value
        if isinstance(first, dict) and "k" in first and "h" in first:
            return "journal"
        return "jsonrpc" if ndjson.looks_like(first) and not trace.looks_like(first) else "trace"
    texts = [line.decode("utf-8", "replace") for line in head]
    if logs.looks_like(texts, logs.CLAUDE):
        return "claude"
    return "vscode" if logs.looks_like(texts, logs.VSCODE) else "trace"
