"""Appending to a journal: whole records only, each chained to the one before."""

import os
from pathlib import Path

import msgspec

from auditor.files import open_private
from auditor.journal.reader import read_journal
from auditor.journal.records import Record, encode

_BATCH_BYTES = 1 << 20  # records are gathered up to this size before they are written


class JournalWriter:
    """An open journal. `seq` is the number of the next record."""

    def __init__(self, path: Path, fd: int, seq: int, last_hash: str) -> None:
        self.path = path
        self.seq = seq
        self._fd = fd
        self._hash = last_hash
        self._lines: list[bytes] = []
        self._gathered = 0

    @classmethod
    def create(cls, path: Path) -> "JournalWriter":
        """Start a new journal.

        Raises:
            OSError: when it cannot be made, or is there already.
        """
        return cls(path, open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND), 0, "")

    @classmethod
    def resume(cls, path: Path) -> "JournalWriter":
        """Go on where a journal ends; a torn last line is cut off.

        Raises:
            OSError: when it cannot be opened.
        """
        end, seq, last = 0, 0, ""
        for entry in read_journal(path):
            if entry.record is not None:
                end, seq, last = entry.end, entry.record.seq + 1, entry.record.h
        fd = open_private(path, os.O_WRONLY | os.O_APPEND)
        os.ftruncate(fd, end)
        return cls(path, fd, seq, last)

    def append(self, record: Record) -> None:
        """Chain a record on (its `seq` and `h` are set here) and write it with the next batch."""
        line, self._hash = encode(msgspec.structs.replace(record, seq=self.seq), self._hash)
        self.seq += 1
        self._lines.append(line)
        self._gathered += len(line)
        if self._gathered >= _BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Hand what was gathered to the system.

        Raises:
            OSError: as `os.write` does; what was not written stays gathered.
        """
        while self._lines:
            data = b"".join(self._lines)
            written = os.write(self._fd, data)
            self._lines = [data[written:]] if written < len(data) else []
            self._gathered = len(data) - written

    def sync(self) -> None:
        """Flush, and wait until it is on the disk."""
        self.flush()
        getattr(os, "fdatasync", os.fsync)(self._fd)

    def close(self) -> None:
        """Flush and close."""
        self.flush()
        os.close(self._fd)
