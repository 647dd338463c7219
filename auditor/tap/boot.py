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


def main() -> NoReturn:
    """What a tap starts: the descriptors of spool, control page, facts, life line and mark are the arguments."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    fds = [int(a) for a in sys.argv[1:]]
    life = select.poll()
    life.register(fds[3], select.POLLIN | select.POLLHUP)
    over = threading.Event()
    recorder = None
    if not life.poll(0):
        made: list[Recorder] = []
        thread = threading.Thread(target=_while_it_lasts, args=(fds, over, made))
        thread.start()
        life.poll()
        over.set()
        thread.join()
        recorder = made[0]
    over.set()
    recorder = recorder or _load(fds, over)
    recorder.finish()
    step_back()  # what comes now is for those who read later
    _ingest(recorder.db, fds)


def _load(fds: list[int], over: threading.Event) -> Recorder:
    from auditor.tap.recorder import load

    gc.freeze()
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
