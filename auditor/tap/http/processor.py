"""What the recorder process does with the pieces of an HTTP tap.

Rules. A piece is a note. Going on after another recorder, the notes of exchanges that were open are read again without
writing anything; where in the spool they begin is what `pending` says. An exchange that stays open is noted anew from
time to time, so that the memory of its beginning can be given back. A body that stays unfinished while as much as the
cap passes beside it holds nothing back any longer: it is recorded as ever, but not by another recorder.
"""

from typing import Any
from urllib.parse import urlsplit

import msgspec

from auditor.capture.http.assemble import Assembler
from auditor.capture.http.traffic import StillOpen, decode
from auditor.capture.writer import CaptureWriter
from auditor.redact.redactor import CaptureRedactor
from auditor.tap.lines import Piece
from auditor.tap.place import Place
from auditor.tap.spool import EXIT, GAP, NOTE, WARNING

_HELD_BYTES = 8 << 20  # so much may pass beside an unfinished body under any cap


class HttpNotes:
    """The processor of an HTTP tap."""

    def __init__(self, writer: CaptureWriter, assembler: Assembler, cap_bytes: int) -> None:
        self._writer = writer
        self._assembler = assembler
        self._max_held_bytes = max(cap_bytes, _HELD_BYTES)
        self._at = 0
        self._begun: dict[int, int] = {}  # exchange → where in the spool what is known of it begins

    def feed(self, piece: Piece) -> None:
        """Take the next piece."""
        at, kind, _, ts_ns, data = piece
        self._at = at
        if kind == NOTE:
            self._note(at, data)
        elif kind == GAP:
            self._assembler.gap(ts_ns)
            self._writer.event(ts_ns, "gap", lost_bytes=int(data))
        elif kind == WARNING:
            self._writer.event(ts_ns, "warning", text=data.decode("utf-8", "replace"))
        elif kind == EXIT:
            self.close(ts_ns)

    def _note(self, at: int, data: bytes) -> None:
        try:
            note = decode(data)
        except msgspec.DecodeError:
            return
        if note.ex and note.ex not in self._begun:
            self._begun[note.ex] = at
        self._assembler.feed(note)
        if not self._assembler.is_open(note.ex):
            self._begun.pop(note.ex, None)
        elif isinstance(note, StillOpen) and self._assembler.is_between(note.ex):
            self._begun[note.ex] = at

    def restore(self, piece: Piece, place: Place) -> None:
        """Take a piece that is in the journal already, for what it leaves unfinished."""
        if piece[1] == NOTE:
            self._assembler.muted = True
            self._note(piece[0], piece[4])
            self._assembler.muted = False

    def pending(self) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
        """Where what is open begins."""
        first = min(self._begun.values(), default=-1)
        if 0 <= first < self._at - self._max_held_bytes:
            self._begun = {ex: at for ex, at in self._begun.items() if at >= self._at - self._max_held_bytes}
            first = min(self._begun.values(), default=-1)
        return (first, 0), (-1, 0), (-1, 0)

    def close(self, ts_ns: int) -> None:
        """No more pieces come: what is open is noted as cut off."""
        self._assembler.close(ts_ns)
        self._begun.clear()


def make(writer: CaptureWriter, redactor: CaptureRedactor, config: dict[str, Any]) -> HttpNotes:
    """The processor for a capture, by what its recorder was started with."""
    path = urlsplit(config["start"].get("upstream") or "").path or "/"
    return HttpNotes(writer, Assembler(writer, redactor, path), config["cap_bytes"])
