"""The seam to the operating system: what Linux, macOS and Windows do differently around a child process.

Only Linux is tried in full. What other systems lack is taken away in tests on Linux (`tests/tap/test_seam.py`); macOS
and Windows themselves have not been tried. How processes are started where there is no fork: see `portable`.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    import signal
    from collections.abc import Sequence
else:
    import _signal as signal  # the public module costs loading `enum`, before the server is started

NOT_FOUND, NOT_EXECUTABLE = 127, 126
KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGBREAK")
FORWARDED: tuple[int, ...] = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""Signals that are passed on to the server."""

_PR_SET_PDEATHSIG = 1
_NICE = 10  # at 19 a busy machine starves the recorder until the spool is full
_PIPE_BYTES = 1 << 20  # what Linux lets any user have
_FALLOC_PUNCH = 1 | 2  # keep the size, punch a hole


def resolve(command: Sequence[str]) -> list[str]:
    """The command as it can be started: on Windows with the full name of a `.cmd` or `.bat`."""
    if os.name == "nt":
        import shutil

        return [shutil.which(command[0]) or command[0], *command[1:]]
    return list(command)


def send(pid: int, number: int) -> None:
    """Send a signal to the server. Windows knows one that a group of processes hears: CTRL_BREAK."""
    if os.name == "nt" and number != KILL:
        number = signal.CTRL_BREAK_EVENT  # type: ignore[attr-defined]
    try:
        os.kill(pid, number)
    except OSError:
        return  # it is gone


def memory(name: str) -> int:
    """A descriptor of memory that only its holders can reach: a memfd, else a file of mode 0600 that has no name.

    Where a file cannot lose its name before it is closed (Windows), it goes with the last descriptor.
    """
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name, os.MFD_CLOEXEC)
    import tempfile

    path = os.path.join(tempfile.gettempdir(), f"auditor-{os.urandom(16).hex()}")  # noqa: PTH118
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
    for flag in ("O_CLOEXEC", "O_NOINHERIT", "O_BINARY", "O_TEMPORARY"):
        flags |= getattr(os, flag, 0)
    fd = os.open(path, flags, 0o600)
    if not hasattr(os, "O_TEMPORARY"):
        os.unlink(path)  # noqa: PTH108
    return fd


def append_only(fd: int) -> None:
    """Let what is written go to the end, whoever writes. Where there is no fcntl, `memory` opened it so."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)


def read_at(fd: int, size: int, offset: int) -> bytes:
    """As `os.pread`. Where that is missing (Windows) through a window: the place in the file belongs to who writes."""
    if hasattr(os, "pread"):
        return os.pread(fd, size, offset)
    import mmap

    end, begin = min(os.fstat(fd).st_size, offset + size), offset - offset % mmap.ALLOCATIONGRANULARITY
    if end <= offset:
        return b""
    with mmap.mmap(fd, end - begin, access=mmap.ACCESS_READ, offset=begin) as window:
        return window[offset - begin :]


def die_with_parent(parent: int) -> None:
    """In a new child: be killed when the parent is, where the system can do that (Linux)."""
    if sys.platform != "linux":
        return
    try:
        import _ctypes as c  # a tenth of what `ctypes` costs to load, and the server waits for it

        own = c.dlopen(None, 0)  # type: ignore[arg-type]
        c.call_function(c.dlsym(own, "prctl"), (_PR_SET_PDEATHSIG, int(signal.SIGKILL)))
    except (ImportError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(NOT_FOUND)


def widen(pipe: int) -> None:
    """Let a pipe hold more, where the system can (Linux): large messages then pass in fewer steps."""
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        except OSError:
            return  # the user has no room for it: the pipe stays as it is


def give_back(fd: int, start: int, end: int) -> None:
    """Give back the memory of a spool between two offsets, where the system can do that (Linux)."""
    if sys.platform != "linux" or end <= start:
        return
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.fallocate(fd, _FALLOC_PUNCH, ctypes.c_longlong(start), ctypes.c_longlong(end - start))


def step_back() -> None:
    """Let the traffic have the processor first: lower the priority of this process."""
    try:
        os.nice(_NICE)
        if hasattr(os, "sched_setscheduler"):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    except (OSError, AttributeError):
        return


def die_by(number: int) -> None:
    """End this process by a signal, as the server did; leaves no second core file."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    except (ImportError, ValueError, OSError):
        pass
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
