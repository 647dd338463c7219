"""A share of the work of reading journals, done here or in a process of its own.

Rules. A job reads slices of journals and leaves rows in spool files; it touches no database. A slice begins behind a
LF and its end state says how far whole lines went, so that a torn tail is met again next time.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from auditor.crew import Work, serve
from auditor.files import open_private
from auditor.journal.records import Seal, Start
from auditor.store.parse import NewerJournal, Rows, State, read

_CHUNK = 4 << 20  # bytes of a journal in memory at once; a longer line is read whole
_SPOOLED = ("messages", "events", "oddities", "redactions", "http")


class Slice(msgspec.Struct):
    """A stretch of one journal, from `offset` to `end` (bytes); `state` is where reading stands before it."""

    capture: str
    path: str
    offset: int
    end: int
    state: State


class Job(msgspec.Struct):
    """Slices to read, the path that the spool files begin with, and whether each line is to be decoded here."""

    slices: list[Slice]
    spool: str
    careful: bool


class Outcome(msgspec.Struct):
    """How far each slice went: `slices` with `offset` and `state` moved on. `newer`: capture to format version of
    journals left alone. `files`: table to spool file. `widest`: longest row, in bytes."""

    slices: list[Slice]
    starts: list[tuple[str, Start]]
    seals: list[tuple[str, Seal]]
    newer: dict[str, int]
    files: dict[str, str]
    widest: int


class _Spool:
    """The spool files of one job, opened when their first row comes."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._open: dict[str, BinaryIO] = {}
        self.files: dict[str, str] = {}

    def write(self, rows: Rows) -> None:
        """Append what has come together, and forget it."""
        for table in _SPOOLED:
            lines: list[bytes] = getattr(rows, table)
            if lines:
                f = self._open.get(table) or self._start(table)
                f.write(b"\n".join(lines))
                f.write(b"\n")
                lines.clear()

    def _start(self, table: str) -> BinaryIO:
        path = Path(f"{self._prefix}.{table}.ndjson")
        self.files[table] = str(path)
        self._open[table] = os.fdopen(open_private(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb")
        return self._open[table]

    def close(self) -> None:
        """Finish the files."""
        for f in self._open.values():
            f.close()


def run(job: Job) -> Outcome:
    """Read the slices of a job.

    Raises:
        OSError: when a spool file cannot be written.
    """
    spool, rows = _Spool(job.spool), Rows()
    newer: dict[str, int] = {}
    pending = 0
    try:
        for part in job.slices:
            try:
                with Path(part.path).open("rb") as f:
                    for data in _lines(f, part):
                        read(data, part.capture, part.state, rows, careful=job.careful)
                        pending += len(data)
                        if pending > _CHUNK:
                            spool.write(rows)
                            pending = 0
            except NewerJournal as e:
                newer[part.capture] = int(e.args[0])
            except OSError as e:
                part.state.blame(f"the journal cannot be read: {e.strerror}")
        spool.write(rows)
    finally:
        spool.close()
    return Outcome(job.slices, rows.starts, rows.seals, newer, spool.files, rows.widest)


def size(part: Slice) -> int:
    """Bytes of a slice."""
    return part.end - part.offset


def _lines(f: BinaryIO, part: Slice) -> Iterator[bytes]:
    """The whole lines of a slice, many at a time; moves its `offset` behind what it gave."""
    f.seek(part.offset)
    left, rest = part.end - part.offset, b""
    while left > 0:
        chunk = f.read(min(_CHUNK, left))
        if not chunk:
            return
        left -= len(chunk)
        cut = chunk.rfind(b"\n") + 1
        if not cut:
            rest += chunk
            continue
        whole, rest = rest + chunk[:cut], chunk[cut:]
        part.offset += len(whole)
        yield whole


WORK = Work(__name__, run, Outcome)


if __name__ == "__main__":
    serve(run, Job)
