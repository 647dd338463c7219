"""Starting recorders for one capture, and taking leave of them.

Rules. Spool, control page and life line outlive the pump: a recorder reads on until the life line closes, which it does
when the last holder on the pump's side is gone, however it went.
"""

from __future__ import annotations

import marshal
import os
import sys
import time

from auditor import __version__
from auditor.capture.ids import new_capture_id
from auditor.capture.mark import Mark
from auditor.tap.control import READY, SEALED, SIZE, TROUBLE, Control
from auditor.tap.platform import memory
from auditor.tap.spool import Spool

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    import signal
    import subprocess
    from collections.abc import Callable
    from typing import Any, NoReturn
else:
    import _signal as signal  # the public module costs loading `enum`

DELAY_MS = 250  # a recorder loads a moment later, when the server has started; what passes meanwhile is in the spool


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
        self._process: subprocess.Popen[bytes] | None = None

    def _handed_on(self) -> list[int]:
        fds = [self._spool_fd, self._control_fd, self._facts_fd, self._life_r]
        return [*fds, self._mark.fd] if self._mark.fd >= 0 else fds

    def start_recorder_soon(self) -> None:
        """Start a process that becomes a recorder in a moment, or when this one is gone. Only before threads are."""
        if not hasattr(os, "fork"):
            return self.start_recorder()
        fds, environment = self._handed_on(), _environment()
        self.recorder = os.fork()
        if self.recorder == 0:
            _wait_and_become([*_COMMAND, *map(str, fds)], environment, fds, self._life_r)
        return None

    def start_recorder(self) -> None:
        """Start a recorder, in a session of its own and with no descriptor of the client's."""
        fds = self._handed_on()
        if not hasattr(os, "posix_spawn"):
            from auditor.tap import portable

            self._process = portable.start_recorder(_COMMAND, fds, _environment())
            self.recorder = self._process.pid
            return
        command = [*_COMMAND, *map(str, fds)]
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

    def recorder_died(self) -> bool:
        """Whether the recorder has ended since it was last asked; waits for none."""
        if self._process is not None:
            died = self._process.poll() is not None
        else:
            try:
                died = self.recorder > 0 and os.waitpid(self.recorder, os.WNOHANG)[0] > 0
            except ChildProcessError:
                return False  # who waited for it has seen it
        if died:
            self.recorder, self._process = 0, None
        return died

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
            return
        loading = not self.control.words[READY]
        trouble = self.control.words[TROUBLE] or (self._mark.errno if loading else 0)
        if trouble:
            say(f"auditor: the record cannot be written: {os.strerror(trouble)}; it is tried on")


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


_COMMAND = [sys.executable, "-c", "from auditor.tap.boot import main; main()"]
_DEAF = ("SIGINT", "SIGHUP", "SIGTERM")


def _wait_and_become(command: list[str], environment: dict[str, str], fds: list[int], life: int) -> NoReturn:
    """In a new process: hold what a recorder needs, and become it when its time has come."""
    try:
        os.setsid()
        for number in _ALL_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        for name in _DEAF:
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        for fd in _open_descriptors():
            if fd > 2 and fd not in fds:
                os.close(fd)
        import select

        line = select.poll()
        line.register(life, select.POLLIN | select.POLLHUP)
        line.poll(DELAY_MS)
        for fd in fds:
            os.set_inheritable(fd, True)
        os.execve(command[0], command, environment)
    finally:
        os._exit(1)  # the tap starts another one


def _open_descriptors() -> list[int]:
    """Those that can be known: one that is not closed here is only held for longer."""
    try:
        found = list(map(int, os.listdir("/dev/fd")))  # noqa: PTH208
    except OSError:
        found = list(range(256))
    return [fd for fd in found if _is_open(fd)]


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


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
