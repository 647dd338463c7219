"""The mark of a capture that is being made: a locked file beside its journal, so that readers know whom to wait for.

Rules. `<capture>.live` while the session lasts; renamed to `<capture>.ending` when it is over and its recorder still
has something to write; gone once the journal is sealed. All who take part hold the lock, and what nobody holds is a
leftover of processes that were killed. A capture goes on without a mark where none can be made.

The pump loads this module: standard library only.
"""

from __future__ import annotations

import errno
import os
import time

from auditor.files import open_private

LIVE, ENDING = ".live", ".ending"
_START_S = 2.0  # how long a reader waits for the journal of a session that has just begun
_POLL_S = 0.02


class Mark:
    """A capture's mark; `fd` is -1 when there is none, and `errno` says why. Who inherits `fd` holds the lock, too."""

    def __init__(self, db: str, capture: str) -> None:
        self._path = os.path.join(db + ".journals", capture)  # noqa: PTH118
        self.fd, self.errno = -1, 0
        try:
            import fcntl

            self.fd = self._open()
            fcntl.flock(self.fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except (OSError, ImportError) as e:
            self.errno = getattr(e, "errno", 0) or 0
            if self.fd >= 0:
                unmark(self._path)
            self.leave()

    def _open(self) -> int:
        try:
            return open_private(self._path + LIVE)
        except FileNotFoundError:
            from pathlib import Path

            from auditor.errors import StoreError
            from auditor.files import private_dir

            try:
                private_dir(Path(self._path).parent)
            except StoreError as e:
                raise OSError(getattr(e.__cause__, "errno", None) or errno.EIO, str(e)) from e
            return open_private(self._path + LIVE)

    def ending(self) -> None:
        """The session is over; its recorder is not yet."""
        if self.fd >= 0:
            try:
                os.rename(self._path + LIVE, self._path + ENDING)  # noqa: PTH104
            except OSError:
                return

    def leave(self) -> None:
        """Hold the lock no longer."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def unmark(path: str) -> None:
    """Remove a capture's mark; `path` is that of its journal without a suffix."""
    for suffix in (LIVE, ENDING):
        try:
            os.unlink(path + suffix)  # noqa: PTH108
        except OSError:
            continue


def wait_for_recorders(folder: str, patience_s: float) -> None:
    """Wait until sessions that are over are written, and those that have begun have a journal; removes leftovers."""
    begun = time.monotonic()
    while True:
        waited = time.monotonic() - begun
        busy = [suffix for suffix in _busy(folder) if waited < (patience_s if suffix == ENDING else _START_S)]
        if not busy:
            return
        time.sleep(_POLL_S)


def _busy(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            names = {e.name for e in entries}
    except OSError:
        return []
    found = []
    for name in names:
        stem, suffix = os.path.splitext(name)  # noqa: PTH122
        if suffix not in (LIVE, ENDING):
            continue
        path = os.path.join(folder, name)  # noqa: PTH118
        if not _held(path):
            unmark(os.path.join(folder, stem))  # noqa: PTH118
        elif suffix == ENDING or stem + ".ndjson" not in names:
            found.append(suffix)
    return found


def _held(path: str) -> bool:
    """Whether anybody holds the lock of a mark."""
    try:
        import fcntl

        fd = os.open(path, os.O_RDONLY)
    except (OSError, ImportError):
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False
