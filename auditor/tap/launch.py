"""Starting recorders for one capture, and taking leave of them.

Rules. Spool, control page and life line outlive the pump: a recorder reads on until the life line closes, which it does
when the last holder on the pump's side is gone, however it went.
"""

from __future__ import annotations

import marshal
import os
import signal
import sys
import time

from auditor import __version__
from auditor.capture.ids import new_capture_id
from auditor.capture.mark import Mark
from auditor.tap.control import SEALED, SIZE, TROUBLE, Control
from auditor.tap.spool import Spool, memory

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DELAY_S = 0.15  # a recorder loads a moment later, when the server has started; what passes meanwhile is in the spool


class Launch:
    """What a tap needs to record: `spool` to put pieces into, and recorders that empty it.

    `facts` are what the recorder's `Start` record says (fields of `journal.records.Start`) beside time, place and
    program; they may hold secrets and travel through memory, not through a command line.
    """

    def __init__(
        self, db: str | os.PathLike[str], facts: dict[str, Any], processor: str, *,
        cap_bytes: int, wait: bool = False, strict: bool = False,
    ) -> None:  # fmt: skip
        self._spool_fd, self._control_fd, self._facts_fd = memory("spool"), memory("control"), memory("facts")
        os.ftruncate(self._control_fd, SIZE)
        self.control = Control(self._control_fd)
        self.spool = Spool(self._spool_fd, self.control, cap_bytes, wait=wait, strict=strict)
        start = _start_facts() | facts
        config = {"db": _absolute(db), "processor": processor, "cap_bytes": cap_bytes, "start": start}
        os.write(self._facts_fd, marshal.dumps(config))
        self._mark = Mark(_absolute(db), start["capture"])
        self._life_r, self._life_w = os.pipe()
        self.recorder = 0

    def start_recorder(self) -> None:
        """Start a recorder, in a session of its own and with no descriptor of the client's."""
        fds = [self._spool_fd, self._control_fd, self._facts_fd, self._life_r]
        if self._mark.fd >= 0:
            fds.append(self._mark.fd)
        command = ["/bin/sh", "-c", _LATER, sys.executable, "-c", _RECORDER, *map(str, fds)]
        null = os.open(os.devnull, os.O_RDWR)
        actions: list[tuple[Any, ...]] = [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)]
        for fd in fds:
            os.set_inheritable(fd, True)
        try:
            self.recorder = os.posix_spawn(
                command[0], command, _environment(), file_actions=actions, setsid=True, setsigdef=_ALL_SIGNALS
            )
        finally:
            for fd in (*fds, null):
                os.set_inheritable(fd, False)
            os.close(null)

    def release(self) -> None:
        """No more pieces come, though this process lives on: the recorder reads what is left, and seals."""
        self.spool.flush_gap()
        self._mark.ending()
        for fd in (self._life_w, self._life_r, self._spool_fd, self._facts_fd, self._control_fd):
            os.close(fd)
        self._mark.leave()

    def sealed(self) -> bool:
        """Whether the recorder has sealed the journal."""
        return bool(self.control.words[SEALED])

    def finish(self, kind: int, data: bytes) -> None:
        """The last piece; after it the recorder seals, whether this process lives or not."""
        self.spool.flush_gap()
        self.spool.put(kind, 3, data)
        self._mark.ending()

    def complain(self, say: Callable[[str], None]) -> None:
        """Say once what was lost, or what keeps the recorder from writing."""
        if self.spool.lost_bytes:
            say(f"auditor: {self.spool.lost_bytes} bytes of this session could not be recorded")
        elif self.control.words[TROUBLE]:
            say(f"auditor: the record cannot be written: {os.strerror(self.control.words[TROUBLE])}; it is tried on")


def check_policy() -> None:
    """Refuse a policy that is not understood before anything is started.

    Raises:
        UsageError: with the file and the line that is wrong.
    """
    from auditor.files import find_policy

    path = find_policy()
    if path is not None:
        from auditor.redact.policy import load

        load(path)


def _start_facts() -> dict[str, Any]:
    """What every capture says of itself at its start."""
    now = time.time_ns()
    return {
        "ts_ns": now, "v": 1, "capture": new_capture_id(now), "cwd": _cwd(), "pid": os.getpid(),
        "host_os": sys.platform, "auditor": __version__,
    }  # fmt: skip


def _cwd() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return None


_LATER = f'sleep {DELAY_S}; exec "$0" "$@"'
_RECORDER = "from auditor.tap.boot import main; main()"


def _environment() -> dict[str, str]:
    """The recorder's own: it must find this package as this process did."""
    found = os.path.realpath(__file__)
    for _ in range(3):
        found = os.path.dirname(found)  # noqa: PTH120
    path = [p for p in (found, os.environ.get("PYTHONPATH", "")) if p]
    own = {"PYTHONPATH": os.pathsep.join(path), "PYTHONSAFEPATH": "1", "MALLOC_MMAP_THRESHOLD_": str(1 << 20)}
    return {**os.environ, **own}  # the last: glibc gives large messages back to the system at once


def _absolute(path: str | os.PathLike[str]) -> str:
    """Not resolved: a link that is changed meanwhile shall count as it is then."""
    return os.path.join(os.getcwd(), path) if not os.path.isabs(path) else os.fspath(path)  # noqa: PTH109, PTH117, PTH118


def _signals() -> list[int]:
    return [n for n in signal.valid_signals() if n not in (signal.SIGKILL, signal.SIGSTOP)]


_ALL_SIGNALS = _signals()
