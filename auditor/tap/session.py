"""One recorded session on pipes: server, streams, signals, recorder, and the exit code at the end.

Rules. The server's end is the session's end: what it wrote before is delivered, its exit code or signal is passed on.
A recorder that dies is replaced. Whatever happens to the record, the traffic goes on, unless the session is strict.
"""

from __future__ import annotations

import _thread  # `threading` costs more to load, and no more than this is wanted
import errno
import os
import time

from auditor.files import default_db_name
from auditor.tap.child import Child
from auditor.tap.control import READY, SERVER, TROUBLE
from auditor.tap.launch import Launch
from auditor.tap.platform import FORWARDED, KILL, NOT_EXECUTABLE, NOT_FOUND, die_by, send
from auditor.tap.pump import Stream
from auditor.tap.spool import C2S, ERR, EXIT, NONE, S2C, WARNING, SpoolFull

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    import signal
    from collections.abc import Sequence
    from typing import NoReturn

    from auditor.tap.options import Options
else:
    import _signal as signal  # the public module costs loading `enum`

_LOOK_S = 0.02  # how often children are looked at where they cannot be waited for together
_DRAIN_S = 1.0  # how long a stream that a grandchild keeps open is heard after the server's end
_MERCY_S = 2.0  # between SIGTERM and SIGKILL for the server of a strict session that ends
_RESTARTS = 5  # recorders that may die within _RESTARTS_S before no other is started
_RESTARTS_S = 10.0
STRICT_EXIT = 4


class Ended:
    """How the server ended: exit code, or the signal that killed it."""

    def __init__(self, code: int, signal: int) -> None:
        self.code, self.signal = code, signal


def run(command: Sequence[str], child: Child | OSError, options: Options) -> int:
    """Tap a server that was started, or could not be; gives the exit code, or ends this process by its signal."""
    launch = Launch(
        options.db or default_db_name(), {"transport": "stdio", "name": options.name, "cmd": command}, "stdio",
        cap_bytes=options.cap_bytes, wait=options.lossless, strict=options.strict,
    )  # fmt: skip
    launch.start_recorder_soon()
    if isinstance(child, OSError):
        return _not_started(command, child, launch)
    session = _Session(child, launch, strict=options.strict)
    ended = session.wait()
    launch.finish(EXIT, b"%d %d" % (ended.code, ended.signal))
    if session.failure:
        _say(session.failure)
        _leave(STRICT_EXIT)
    launch.complain(_say)
    if ended.signal:
        die_by(ended.signal)
        _leave(128 + ended.signal)
    return _leave(ended.code)


def _not_started(command: Sequence[str], e: OSError, launch: Launch) -> int:
    missing = e.errno in (errno.ENOENT, errno.ENOTDIR)
    reason = "command not found" if missing and "/" not in command[0] else os.strerror(e.errno or errno.ENOENT)
    text = f"auditor: {command[0] or repr('')}: {reason}"
    launch.spool.put(WARNING, NONE, text.encode("utf-8", "surrogateescape"))
    code = NOT_FOUND if missing else NOT_EXECUTABLE
    launch.finish(EXIT, b"%d 0" % code)
    _say(text)
    return code


def _say(text: str) -> None:
    try:
        os.write(2, text.encode("utf-8", "surrogateescape") + b"\n")
    except OSError:
        return


def _leave(code: int) -> NoReturn:
    """End at once: a thread may stand in a read that nobody can interrupt."""
    os._exit(code)


class _Session:
    """A server that runs, and what forwards its streams."""

    def __init__(self, child: Child, launch: Launch, *, strict: bool) -> None:
        self._child, self._launch, self._strict = child, launch, strict
        self._ended: Ended | None = None
        self._deaths: list[float] = []
        self.failure: str | None = None
        launch.control.words[SERVER] = child.pid
        self._forward_signals()
        self._out = Stream(child.stdout, 1, S2C, launch.spool, self._fail)
        self._err = Stream(child.stderr, 2, ERR, launch.spool, self._fail)
        self._in = Stream(0, child.stdin, C2S, launch.spool, self._fail)
        for stream in (self._out, self._err, self._in):
            stream.start()
        if strict:
            _thread.start_new_thread(self._watch_recorder, ())

    def _forward_signals(self) -> None:
        def forward(number: int, _frame: object) -> None:
            if self._ended is None:
                send(self._child.pid, number)

        for number in FORWARDED:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, forward)

    def _fail(self, e: BaseException) -> None:
        """A stream cannot go on: only a strict session ends for it."""
        if self.failure is None:
            full = isinstance(e, SpoolFull)
            why = "it cannot be recorded any more" if full else f"of a fault of the tap ({type(e).__name__}: {e})"
            self.failure = f"auditor: the session was ended because {why}; record without --strict to go on"
        send(self._child.pid, signal.SIGTERM)
        _thread.start_new_thread(self._kill_late, ())

    def _kill_late(self) -> None:
        time.sleep(_MERCY_S)
        if self._ended is None:
            send(self._child.pid, KILL)

    def _watch_recorder(self) -> None:
        """Strict: a journal that cannot be written ends the session."""
        words = self._launch.control.words
        while self._ended is None:
            if words[TROUBLE] and not words[READY]:
                self._fail(SpoolFull())
                return
            time.sleep(0.05)

    def wait(self) -> Ended:
        """Until the server has ended and what it wrote is delivered."""
        ended = self._ended = self._wait_for_children() if self._child.process is None else self._look_at_children()
        deadline = time.monotonic() + _DRAIN_S
        for stream in (self._out, self._err):
            stream.join(max(0.0, deadline - time.monotonic()))
        if self._launch.recorder_died():
            self._replace_recorder()  # what it left is read by none but another, and that one outlives this process
        return ended

    def _wait_for_children(self) -> Ended:
        while True:
            try:
                pid, status = os.waitpid(-1, 0)
            except ChildProcessError:
                return Ended(0, 0)
            if pid == self._child.pid:
                return _ended(status)
            if pid == self._launch.recorder:
                self._replace_recorder()

    def _look_at_children(self) -> Ended:
        assert self._child.process is not None
        while (code := self._child.process.poll()) is None:
            if self._launch.recorder_died():
                self._replace_recorder()
            time.sleep(_LOOK_S)
        return Ended(code, 0) if code >= 0 else Ended(-1, -code)

    def _replace_recorder(self) -> None:
        now = time.monotonic()
        self._deaths = [t for t in self._deaths if now - t < _RESTARTS_S] + [now]
        if len(self._deaths) <= _RESTARTS:
            self._launch.start_recorder()
        elif self._strict:
            self._fail(SpoolFull())
        else:
            _say("auditor: the recorder fails again and again; the session goes on unrecorded")


def _ended(status: int) -> Ended:
    if os.WIFSIGNALED(status):
        return Ended(-1, os.WTERMSIG(status))
    return Ended(os.WEXITSTATUS(status), 0)
