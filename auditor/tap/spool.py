"""The spool: what passed, in memory that outlives the pump, until the recorder has it in the journal.

Rules. A piece is written whole, by one system call, before what it tells of is passed on. Pieces are never changed;
the recorder gives back the memory of those it is done with. At the cap, pieces are counted and left out, and the next
one that fits is preceded by a gap.

A piece is a header of 24 bytes (size of the data, kind, source, time in ns since the epoch) and its data. The pump
loads this module: standard library only.
"""

from __future__ import annotations

import _thread  # `threading` costs more to load, and a lock is all that is wanted
import os
import struct
import time

from auditor.tap.control import FREED, LOST, Control
from auditor.tap.platform import append_only, read_at

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = struct.Struct("<QHHIq")
HEADER_BYTES = HEADER.size
_pack, _now, _write = HEADER.pack, time.time_ns, os.write  # looked up once: each hop of each message passes here
DATA, EOF, EXIT, GAP, NOTE, WARNING = range(6)
C2S, S2C, ERR, NONE = range(4)
DEFAULT_CAP_BYTES = 256 << 20
_JOINED_BYTES = 4096 if hasattr(os, "writev") else 1 << 62
"""Up to here, header and data are joined by a copy: cheaper than a vector of two."""


class SpoolFull(Exception):
    """The session cannot be recorded any more, and must not go on without."""


class Spool:
    """The pump's end.

    `wait` waits at the cap instead of leaving out; `strict` raises `SpoolFull`. `lost_bytes` is what was left out.
    """

    def __init__(self, fd: int, control: Control, cap_bytes: int, *, wait: bool = False, strict: bool = False) -> None:
        append_only(fd)
        self.fd = fd
        self._words = control.words
        self._cap = cap_bytes
        self._wait, self._strict = wait, strict
        self._written = 0
        self._limit = cap_bytes  # up to here nothing has to be looked at; 0 while a gap is unsaid
        self._gap = [0, 0]
        self._broken = False
        self._lock = _thread.allocate_lock()
        self.lost_bytes = 0

    def put(self, kind: int, source: int, data: bytes) -> None:
        """Write one piece.

        Raises:
            SpoolFull: when it cannot be, and the session is strict.
        """
        length = len(data)
        size = length + HEADER_BYTES
        written = self._written + size
        if written > self._limit:
            if not self._room(size):
                return
            written = self._written + size
        self._written = written
        try:
            head = _pack(length, kind, source, 0, _now())
            done = _write(self.fd, head + data) if size < _JOINED_BYTES else os.writev(self.fd, (head, data))
        except OSError:
            done = 0
        if done != size:
            self._break(length)

    def unbounded(self) -> None:
        """Refuse nothing: who writes looks at `waiting_bytes` first, and waits in its own way."""
        self._cap = self._limit = 1 << 62

    def waiting_bytes(self) -> int:
        """What the recorder does not have in the journal yet."""
        return self._written - self._words[FREED]

    def _room(self, size: int) -> bool:
        """Whether there is room. Waits for it when told to; says first what was left out before."""
        self._written = os.fstat(self.fd).st_size  # two threads count without a lock, and may have missed a piece
        while self._broken or self._written + size - self._words[FREED] > self._cap:
            if self._strict:
                raise SpoolFull
            if self._broken or not self._wait:
                self._leave_out(size - HEADER_BYTES)
                return False
            time.sleep(0.001)
        self.flush_gap()
        self._limit = self._words[FREED] + self._cap
        return True

    def _break(self, size: int) -> None:
        """The system has no memory left: what is written is whole up to here, and nothing can follow."""
        self._broken = True
        if self._strict:
            raise SpoolFull
        self._leave_out(size)

    def _leave_out(self, size: int) -> None:
        with self._lock:
            self._gap[0] += size
            self._gap[1] += 1
            self._limit = 0
            self.lost_bytes += size
            self._words[LOST] = self.lost_bytes

    def flush_gap(self) -> None:
        """Say what was left out since the last piece."""
        with self._lock:
            if self._gap[1] and not self._broken:
                data = b"%d" % self._gap[0]
                self._gap = [0, 0]
                os.write(self.fd, HEADER.pack(len(data), GAP, NONE, 0, time.time_ns()) + data)
                self._written += HEADER_BYTES + len(data)


class Reader:
    """The recorder's end: pieces from an offset on."""

    def __init__(self, fd: int, offset: int = 0) -> None:
        self.fd = fd
        self.offset = offset

    def available(self) -> int:
        """Bytes that wait."""
        return os.fstat(self.fd).st_size - self.offset

    def pieces(self, most_bytes: int) -> Iterator[tuple[int, int, int, int, bytes]]:
        """The next pieces as (offset, kind, source, ts_ns, data): about `most_bytes` of them, at least one if any."""
        block, start = read_at(self.fd, most_bytes, self.offset), self.offset
        at = 0
        while at + HEADER_BYTES <= len(block):
            size, kind, source, _, ts_ns = HEADER.unpack_from(block, at)
            begin, end = at + HEADER_BYTES, at + HEADER_BYTES + size
            if end > len(block):
                if at or self.available() < HEADER_BYTES + size:
                    return
                block = read_at(self.fd, HEADER_BYTES + size, self.offset)
            self.offset = start + end
            yield start + at, kind, source, ts_ns, block[begin:end]
            at = end
