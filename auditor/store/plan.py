"""Cutting what is to be read into jobs of about the same size.

Rules. Many small journals share a job. A large one is cut behind line ends, and each piece begins with the state that
the line before it claims; whoever joins the outcomes checks that this was so.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from auditor.journal import records
from auditor.store.job import Job, Slice
from auditor.store.parse import State

JOB_BYTES = 48 << 20
_LOOK = 1 << 20  # how far to look around a cut for line ends


def jobs(slices: Sequence[Slice], spool: Path, *, careful: bool) -> Iterator[Job]:
    """Jobs that cover the slices in order."""
    number, room = 0, JOB_BYTES
    gathered: list[Slice] = []
    for part in slices:
        for piece in pieces(part):
            gathered.append(piece)
            room -= piece.end - piece.offset
            if room <= 0:
                yield Job(gathered, str(spool / str(number)), careful)
                number, room, gathered = number + 1, JOB_BYTES, []
    if gathered:
        yield Job(gathered, str(spool / str(number)), careful)


def pieces(part: Slice) -> Iterator[Slice]:
    """A slice, cut where it is larger than a job."""
    if part.end - part.offset <= JOB_BYTES * 3 // 2:
        yield part
        return
    try:
        with Path(part.path).open("rb") as f:
            while part.end - part.offset > JOB_BYTES * 3 // 2:
                cut = _line_end(f, part.offset + JOB_BYTES, part.end)
                if cut is None:
                    break
                yield msgspec.structs.replace(part, end=cut)
                part = msgspec.structs.replace(part, offset=cut, state=_claimed(f, cut))
    except OSError:
        pass  # the job that reads the rest will say so
    yield part


def _line_end(f: BinaryIO, at: int, end: int) -> int | None:
    """The place behind the next LF from `at` on, or None."""
    f.seek(at)
    while at < end:
        chunk = f.read(_LOOK)
        found = chunk.find(b"\n")
        if found >= 0:
            return at + found + 1 if at + found + 1 < end else None
        if not chunk:
            return None
        at += len(chunk)
    return None


def _claimed(f: BinaryIO, cut: int) -> State:
    """The state behind the line that ends at `cut`, if that line is whole and true; one that is never right, if not."""
    f.seek(max(0, cut - _LOOK))
    line = f.read(min(cut, _LOOK))[:-1].rpartition(b"\n")[2]
    try:
        record = records.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return State(seq=-2)
    return State(record.h, record.seq, record.ts_ns)


def joined(part: Slice, guess: State, before: State) -> bool:
    """Whether a piece began where the one before it ended; if so, brings its counts up to date."""
    if (guess.hash, guess.seq) != (before.hash, before.seq) or before.sealed:
        return False
    part.state.records += before.records
    part.state.messages += before.messages
    own, part.state.problems = part.state.problems, list(before.problems)
    for problem in own:
        part.state.blame(problem)
    return True
