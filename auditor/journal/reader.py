"""Reading a journal: every record that can be read, and what is wrong with the rest as values."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from auditor.journal.records import Record, decode, link, split

TORN = "torn tail"


class Entry(msgspec.Struct, frozen=True):
    """One line of a journal: its record, or None and why.

    `end` is the offset behind it, in bytes (of a torn tail: before it); `hash` is what the next record chains to.
    """

    record: Record | None
    end: int
    problem: str | None = None
    hash: str = ""


def read_journal(path: Path, offset: int = 0, previous: str = "") -> Iterator[Entry]:
    """Read a journal from `offset`, the hash before which is `previous`.

    Raises:
        OSError: when the file cannot be read.
    """
    with path.open("rb") as f:
        f.seek(offset)
        for line in f:
            if not line.endswith(b"\n"):
                yield Entry(None, offset, TORN, previous)
                return
            offset += len(line)
            parts = split(line[:-1])
            chained = parts is not None and link(previous, parts[0]) == parts[1]
            previous = parts[1] if parts is not None else ""
            yield _entry(line[:-1], offset, previous, chained)


def _entry(line: bytes, end: int, digest: str, chained: bool) -> Entry:
    try:
        record = decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Entry(None, end, "unreadable record", digest)
    return Entry(record, end, None if chained else "broken chain", digest)
