"""Passing bytes on: one thread a stream, raw descriptors, no knowledge of what passes.

Rules. A chunk is in the spool before it is forwarded. What one side closes is closed to the other; nothing else is
ever done to a stream. What cannot be delivered any more is not read any more.
"""

from __future__ import annotations

import os
import select
import stat
import threading

from auditor.tap.spool import DATA, EOF, ERR, Spool

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK_BYTES = 1 << 16  # what a pipe holds
LARGE_BYTES = 1 << 18  # once a chunk was full: fewer, larger steps for what is large


class Stream(threading.Thread):
    """Forwards one direction until it ends. `failed` is told of what the session cannot go on with."""

    def __init__(
        self, source: int, sink: int, channel: int, spool: Spool, failed: Callable[[BaseException], None]
    ) -> None:
        super().__init__(daemon=True)
        self._from, self._to = source, sink
        self._channel, self._spool, self._failed = channel, spool, failed

    def run(self) -> None:
        """Forward until either side closes."""
        try:
            self._forward()
            self._spool.put(EOF, self._channel, b"")
        except Exception as e:  # noqa: BLE001  # the session decides what to do; a thread can only say it
            self._failed(e)
        finally:
            if self._channel != ERR:  # stderr is the tap's own voice, too
                close(self._to)

    def _forward(self) -> None:
        source, sink, channel, put = self._from, self._to, self._channel, self._spool.put
        read, write, size = os.read, os.write, CHUNK_BYTES
        while True:
            try:
                chunk = read(source, size)
            except BlockingIOError:
                select.select((source,), (), ())
                continue
            except OSError:
                return
            if not chunk:
                return
            size = LARGE_BYTES if len(chunk) >= CHUNK_BYTES else CHUNK_BYTES
            put(DATA, channel, chunk)
            try:
                done = write(sink, chunk)
                if done != len(chunk):
                    _write_rest(sink, memoryview(chunk)[done:])
            except BlockingIOError:
                _write_rest(sink, memoryview(chunk))
            except OSError:
                close(source)
                return


def _write_rest(sink: int, rest: memoryview) -> None:
    while rest:
        try:
            rest = rest[os.write(sink, rest) :]
        except BlockingIOError:
            select.select((), (sink,), ())


def close(fd: int) -> None:
    """Close a descriptor, and the side of a socket that other holders would keep open."""
    try:
        if stat.S_ISSOCK(os.fstat(fd).st_mode):
            _shut_socket(fd)
    except OSError:
        pass  # the other side was faster
    try:
        os.close(fd)
    except OSError:
        return


def _shut_socket(fd: int) -> None:
    import socket

    half = socket.SHUT_RD if fd == 0 else socket.SHUT_WR
    with socket.socket(fileno=os.dup(fd)) as s:
        s.shutdown(half)
