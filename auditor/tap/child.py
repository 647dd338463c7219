"""Starting the server: as its client would have started it, on pipes that the pump holds.

Rules. Environment, working folder, open descriptors and ignored signals are what they would be without a tap. The
server leads a process group of its own, so that a Ctrl-C reaches it once, by way of the tap; where the system can, it
dies when the tap is killed.
"""

from __future__ import annotations

import errno
import os

from auditor.tap.platform import die_with_parent, resolve, widen

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    import signal
    import subprocess
    from collections.abc import Sequence
else:
    import _signal as signal  # the public module costs loading `enum`, before the server is started

_RESTORED = tuple(getattr(signal, n) for n in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, n))


class Child:
    """A started server: its process and our ends of its stdin, stdout and stderr.

    `process` is there where it was started without fork, and is waited for by its own means.
    """

    def __init__(
        self, pid: int, stdin: int, stdout: int, stderr: int, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        self.pid, self.process = pid, process
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr


def hold_standard_descriptors() -> None:
    """Before anything is opened: a standard descriptor that is closed would be given to a pipe of ours."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def start(command: Sequence[str]) -> Child:
    """Start a command.

    Raises:
        OSError: as exec does, when it cannot be started.
    """
    if not command[0]:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
    command = resolve(command)
    if not hasattr(os, "fork"):
        from auditor.tap.portable import start_server

        return start_server(command)
    parent = os.getpid()
    (in_r, in_w), (out_r, out_w), (err_r, err_w), (say_r, say_w) = (os.pipe() for _ in range(4))
    pid = os.fork()
    if pid == 0:
        _become(command, parent, in_r, out_w, err_w, say_w)
    for fd in (in_r, out_w, err_w, say_w):
        os.close(fd)
    said = os.read(say_r, 16)
    os.close(say_r)
    if said:
        os.waitpid(pid, 0)
        for fd in (in_w, out_r, err_r):
            os.close(fd)
        raise OSError(int(said), os.strerror(int(said)), command[0])
    widen(in_w)
    widen(out_r)
    return Child(pid, in_w, out_r, err_r)


def _become(command: list[str], parent: int, stdin: int, stdout: int, stderr: int, say: int) -> None:
    """In the new process: become the server, or say why not and end."""
    try:
        os.setpgid(0, 0)
        die_with_parent(parent)
        for number in _RESTORED:
            signal.signal(number, signal.SIG_DFL)
        for source, target in ((stdin, 0), (stdout, 1), (stderr, 2)):
            os.dup2(source, target)
        try:
            os.execvp(command[0], command)
        except OSError as e:
            if e.errno != errno.ENOEXEC:
                raise
            os.execv("/bin/sh", ["/bin/sh", *command])
    except OSError as e:
        os.write(say, b"%d" % (e.errno or errno.ENOENT))
    finally:
        os._exit(127)
