"""The seam to the operating system: what Linux, macOS and Windows do differently around a child process.

Only Linux is tried in full. Elsewhere a tap works with what there is, and says so in the documentation.
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
FORWARDED = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH")
    if hasattr(signal, name)
)  # fmt: skip
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
