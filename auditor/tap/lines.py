"""From pieces of a stdio session to records.

Rules. Lines are cut per stream; a record is written when its line is complete, in the order of the pieces that
completed them. What is unfinished is remembered by its place in the spool, so that another recorder can go on.
After a gap the rest of a line that was torn by it is no message.
"""

from typing import Final, Protocol

from auditor.capture.writer import CaptureWriter
from auditor.journal.records import Direction
from auditor.tap.place import Place
from auditor.tap.spool import C2S, DATA, EOF, ERR, EXIT, GAP, S2C, WARNING
from auditor.wire.frames import Frame, LineFramer

Piece = tuple[int, int, int, int, bytes]
CAP_PER_LINE: Final = 4
"""A line longer than this part of the spool's cap is recorded in pieces, as no message. So is one that stays unfinished
while as much as the whole cap, and more than the pipes of a slow reader hold, passes beside it: the memory of the spool
is bounded by twice the cap."""
_HELD_BYTES: Final = 8 << 20
"""So much may pass beside an unfinished line under any cap: its other half can stand in a pipe of 1 MB meanwhile."""
_STDERR_BYTES = 64 << 10  # an unfinished line of stderr longer than this is recorded as it is

_DIRECTIONS: dict[int, Direction] = {C2S: "c2s", S2C: "s2c"}


class Processor(Protocol):
    """What a recorder does with pieces."""

    def feed(self, piece: Piece) -> None:
        """Take the next piece."""

    def restore(self, piece: Piece, place: Place) -> None:
        """Take a piece that is in the journal already, for what it leaves unfinished."""

    def pending(self) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
        """Where unfinished lines begin, as in `Place`."""

    def close(self, ts_ns: int) -> None:
        """No more pieces come."""


class StdioLines:
    """The processor of a stdio session."""

    def __init__(self, writer: CaptureWriter, cap_bytes: int) -> None:
        self._writer = writer
        self._max_held_bytes, self._max_line_bytes = max(cap_bytes, _HELD_BYTES), cap_bytes // CAP_PER_LINE
        self._framers = {channel: LineFramer() for channel in (C2S, S2C, ERR)}
        self._begun: list[tuple[int, int]] = [(-1, 0)] * 3
        self._torn = [False] * 3
        self._eof = [False] * 3
        self.exited = False

    def feed(self, piece: Piece) -> None:
        """Take the next piece."""
        at, kind, channel, ts_ns, data = piece
        if kind == DATA:
            self._data(at, channel, ts_ns, data)
        elif kind == EOF:
            self._end(channel, ts_ns)
        elif kind == EXIT:
            self._exit(ts_ns, data)
        elif kind == GAP:
            self._gap(ts_ns, int(data))
        elif kind == WARNING:
            self._writer.stderr(ts_ns, data)

    def _data(self, at: int, channel: int, ts_ns: int, data: bytes) -> None:
        framer = self._framers[channel]
        for frame in framer.feed(data):
            self._frame(channel, ts_ns, frame)
        self._note(at, channel, data)
        limit = _STDERR_BYTES if channel == ERR else self._max_line_bytes
        if framer.pending_bytes > limit:
            self._cut(channel, ts_ns)
        for held, (begun, _) in enumerate(self._begun):
            if 0 <= begun < at - self._max_held_bytes:
                self._cut(held, ts_ns)

    def _cut(self, channel: int, ts_ns: int) -> None:
        """Record what is there of a line that holds back too much; the rest of it is torn, too."""
        for frame in self._framers[channel].close():
            self._torn[channel] = True
            self._frame(channel, ts_ns, frame)
            self._torn[channel] = True
        self._begun[channel] = (-1, 0)

    def _note(self, at: int, channel: int, data: bytes) -> None:
        cut = data.rfind(b"\n") + 1
        if cut == len(data):
            self._begun[channel] = (-1, 0)
        elif cut or self._begun[channel][0] < 0:
            self._begun[channel] = (at, cut)

    def _frame(self, channel: int, ts_ns: int, frame: Frame) -> None:
        if channel == ERR:
            self._torn[ERR] = False
            if frame.data:
                self._writer.stderr(ts_ns, frame.data)
            return
        torn = frame.torn or self._torn[channel]
        self._torn[channel] = False
        self._writer.line(_DIRECTIONS[channel], ts_ns, frame.data, frame.wire_bytes, torn=torn)

    def _end(self, channel: int, ts_ns: int) -> None:
        if self._eof[channel]:
            return
        self._eof[channel] = True
        for frame in self._framers[channel].close():
            self._frame(channel, ts_ns, frame)
        self._begun[channel] = (-1, 0)
        if channel != ERR:
            self._writer.event(ts_ns, "eof", dir=_DIRECTIONS[channel])

    def _exit(self, ts_ns: int, data: bytes) -> None:
        """The server ended. What a stream left unfinished comes first; ends that nobody saw are not made up."""
        code, number = (int(n) for n in data.split())
        self._flush(ts_ns)
        self.exited = True
        self._writer.event(ts_ns, "exit", rc=None if number else code, signal=number or None)

    def _gap(self, ts_ns: int, lost: int) -> None:
        self._flush(ts_ns)
        self._torn = [True] * 3
        self._writer.event(ts_ns, "gap", lost_bytes=lost)

    def _flush(self, ts_ns: int) -> None:
        for channel, framer in self._framers.items():
            for frame in framer.close():
                self._frame(channel, ts_ns, frame)
            self._begun[channel] = (-1, 0)

    def restore(self, piece: Piece, place: Place) -> None:
        """Take a piece that is in the journal already, for the unfinished line that it holds."""
        at, kind, channel, _, data = piece
        if kind == EOF:
            self._eof[channel] = True
        if kind == EXIT:
            self.exited = True
        if kind != DATA:
            return
        begin, cut = place.pending[channel]
        if begin < 0 or at < begin:
            return
        self._framers[channel].feed(data[cut:] if at == begin else data)
        self._begun[channel] = (begin, cut)

    def pending(self) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
        """Where unfinished lines begin."""
        a, b, c = self._begun
        return a, b, c

    def close(self, ts_ns: int) -> None:
        """No more pieces come: what is unfinished is recorded as torn."""
        self._flush(ts_ns)
