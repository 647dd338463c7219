"""Reading a journal: every record that can be read, and what is wrong with the rest as values."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from auditor.journal.records import Record, decode, link, split


class Entry(msgspec.Struct, frozen=True):
    """One line of a journal: its record, or None and why. `end` is the offset behind it, in bytes."""

    record: Record | None
    end: int
    problem: str | None = None


def read_journal(path: Path, offset: int = 0, previous: str = "") -> Iterator[Entry]:
    """Read a journal from `offset`, the hash before which is `previous`.

    Raises:
        OSError: when the file cannot be read.
    """
    with path.open("rb") as f:
        f.seek(offset)
        for line in f:
            if not line.endswith(b"\n"):
                yield Entry(None, offset, "torn tail")
                return
            offset += len(line)
            entry = _entry(line[:-1], offset, previous)
            previous = entry.record.h if entry.record is not None else ""
            yield entry


def _entry(line: bytes, end: int, previous: str) -> Entry:
    parts = split(line)
    try:
        record = decode(line)
    except (msgspec.DecodeError, RecursionError):
        return Entry(None, end, "unreadable record")
    if parts is None or link(previous, parts[0]) != parts[1]:
        return Entry(record, end, "broken chain")
    return Entry(record, end)
