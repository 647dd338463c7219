"""How a recorder begins: out of the way of the traffic.

Rules. On Linux a priority belongs to a thread, and a user cannot raise it again. So the recorder loads and works in a
thread of low priority while the session lasts, and in the main one, whose priority is the usual, once it is over.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import threading

from auditor.tap.platform import step_back

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    from typing import NoReturn

    from auditor.tap.recorder import Recorder

_COLLECT_AFTER = 20_000  # objects: a record makes many, and hardly a circle


def main() -> NoReturn:
    """What a tap starts: the descriptors of spool, control page, facts, life line and mark are the arguments."""
    for name in ("SIGINT", "SIGHUP", "SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    fds = _descriptors(sys.argv[1:])
    over = threading.Event()
    recorder = None
    if not _is_over(fds[3]):
        made: list[Recorder] = []
        thread = threading.Thread(target=_while_it_lasts, args=(fds, over, made))
        thread.start()
        os.read(fds[3], 1)  # nothing is ever written there: this ends when the last of the tap is gone
        over.set()
        thread.join()
        recorder = made[0]
    over.set()
    recorder = recorder or _load(fds, over)
    recorder.finish()
    step_back()  # what comes now is for those who read later
    _ingest(recorder.db, fds)


def _descriptors(words: list[str]) -> list[int]:
    if hasattr(os, "fork"):
        return [int(word) for word in words]
    from auditor.tap.portable import descriptors

    return descriptors(words)


def _is_over(life: int) -> bool:
    """Whether the session is over already, where that can be known without waiting."""
    if not hasattr(select, "poll"):
        return False
    line = select.poll()
    line.register(life, select.POLLIN | select.POLLHUP)
    return bool(line.poll(0))


def _load(fds: list[int], over: threading.Event) -> Recorder:
    from auditor.tap.recorder import load

    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER)
    return load(fds, over)


def _while_it_lasts(fds: list[int], over: threading.Event, made: list[Recorder]) -> None:
    step_back()
    whole = False
    try:
        made.append(_load(fds, over))
        made[0].run()
        whole = True
    finally:
        if not whole:
            os._exit(1)  # the tap starts another one


def _ingest(db: str, fds: list[int]) -> NoReturn:
    """Go on as the program that loads the journal into the database."""
    os.chdir("/")
    for fd in fds:
        os.close(fd)
    os.execv(sys.executable, [sys.executable, "-m", "auditor.pipeline", db])
