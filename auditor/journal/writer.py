"""Appending to a journal: whole records only, each chained to the one before."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from auditor.files import open_private, private_dir
from auditor.journal.reader import TORN, read_journal
from auditor.journal.records import Record, encode_onto

_BATCH_BYTES = 1 << 20  # records are gathered up to this size before they are written unasked
_COPY_BYTES = 1 << 20


class JournalWriter:
    """An open journal. `seq` is the number of the next record."""

    def __init__(self, path: Path, fd: int, seq: int, last_hash: str) -> None:
        self.path = path
        self.seq = seq
        self._fd = fd
        self._hash = last_hash
        self._lines = bytearray()
        self.on_vanished: Callable[[], None] = lambda: None  # called before a deleted journal is put back

    @classmethod
    def create(cls, path: Path) -> "JournalWriter":
        """Start a new journal.

        Raises:
            OSError: when it cannot be made, or is there already.
        """
        return cls(path, open_private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND), 0, "")

    @classmethod
    def resume(cls, path: Path, visit: Callable[[Record], None]) -> "JournalWriter":
        """Go on where a journal ends; a torn last line is cut off, and nothing else. `visit` is shown every record.

        Raises:
            OSError: when it cannot be opened.
        """
        end, seq, last = 0, 0, ""
        for entry in read_journal(path):
            end, last = entry.end, entry.hash
            if entry.record is not None:
                seq = entry.record.seq + 1
                visit(entry.record)
            elif entry.problem != TORN:
                seq += 1
        fd = open_private(path, os.O_RDWR | os.O_APPEND)
        os.ftruncate(fd, end)
        return cls(path, fd, seq, last)

    def append(self, record: Record) -> None:
        """Chain a record on (its `seq` is set here, in the record that was given) and write it with the next batch.

        Never raises for want of room: what cannot be written stays gathered, and the next `flush` says so.
        """
        msgspec.structs.force_setattr(record, "seq", self.seq)
        self._hash = encode_onto(self._lines, record, self._hash)
        self.seq += 1
        if len(self._lines) >= _BATCH_BYTES:
            with contextlib.suppress(OSError):
                self.flush()

    def flush(self) -> None:
        """Hand what was gathered to the system.

        Raises:
            OSError: as `os.write` does; what was not written stays gathered.
        """
        while self._lines:
            written = os.write(self._fd, self._lines)
            if written == len(self._lines):
                self._lines = bytearray()
            else:
                del self._lines[:written]

    def sync(self) -> None:
        """Flush, and wait until it is on the disk; a journal that was deleted meanwhile is put back.

        Raises:
            OSError: when either cannot be done.
        """
        self.flush()
        if os.fstat(self._fd).st_nlink == 0:
            self.on_vanished()
            self._put_back()
        getattr(os, "fdatasync", os.fsync)(self._fd)

    def _put_back(self) -> None:
        """The file lives only through our descriptor: copy it to its name again."""
        private_dir(self.path.parent)
        new = open_private(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND)
        at = 0
        try:
            while data := os.pread(self._fd, _COPY_BYTES, at):
                at += os.write(new, data)
        except OSError:
            os.close(new)
            self.path.unlink()
            raise
        os.close(self._fd)
        self._fd = new

    def close(self) -> None:
        """Flush and close."""
        self.flush()
        os.close(self._fd)
