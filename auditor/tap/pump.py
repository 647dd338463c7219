"""Passing bytes on: one thread a stream, raw descriptors, no knowledge of what passes.

Rules. A chunk is in the spool before it is forwarded. What one side closes is closed to the other; nothing else is
ever done to a stream. What cannot be delivered any more is not read any more.
"""

from __future__ import annotations

import _thread  # `threading` costs more to load, and no more than this is wanted
import os
import stat

from auditor.tap.spool import DATA, EOF, ERR, Spool

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK_BYTES = 1 << 16  # what a pipe holds
LARGE_BYTES = 1 << 18  # once a chunk was full: fewer, larger steps for what is large


class Stream:
    """Forwards one direction until it ends. `failed` is told of what the session cannot go on with."""

    def __init__(
        self, source: int, sink: int, channel: int, spool: Spool, failed: Callable[[BaseException], None]
    ) -> None:
        self._running = _thread.allocate_lock()
        self._from, self._to = source, sink
        self._channel, self._spool, self._failed = channel, spool, failed

    def start(self) -> None:
        """Forward until either side closes, in a thread."""
        self._running.acquire()
        _thread.start_new_thread(self._run, ())

    def join(self, timeout_s: float) -> None:
        """Wait for the end, but not for ever."""
        if self._running.acquire(timeout=timeout_s):
            self._running.release()

    def _run(self) -> None:
        try:
            self._forward()
            self._spool.put(EOF, self._channel, b"")
        except Exception as e:  # noqa: BLE001  # the session decides what to do; a thread can only say it
            self._failed(e)
        finally:
            if self._channel != ERR:  # stderr is the tap's own voice, too
                close(self._to)
            self._running.release()

    def _forward(self) -> None:
        source, sink, channel, put = self._from, self._to, self._channel, self._spool.put
        read, write, size = os.read, os.write, CHUNK_BYTES
        while True:
            try:
                chunk = read(source, size)
            except BlockingIOError:
                _wait_until_ready((source,), ())
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
            _wait_until_ready((), (sink,))


def _wait_until_ready(sources: tuple[int, ...], sinks: tuple[int, ...]) -> None:
    import select

    select.select(sources, sinks, ())


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
