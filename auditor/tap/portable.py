"""Starting processes where there is no fork (Windows): by `subprocess`, with what that offers.

Rules. A recorder is given the same descriptors as elsewhere. Windows hands on handles only, of which the recorder makes
descriptors again. What `subprocess` keeps open stays referenced: the descriptors are the pump's to close.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from auditor.tap.child import Child

_APART: dict[str, Any]
_OUTLIVING: dict[str, Any]
if sys.platform == "win32":
    _APART = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    _OUTLIVING = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS}
else:
    _APART, _OUTLIVING = {"process_group": 0}, {"start_new_session": True}


def start_server(command: list[str]) -> Child:
    """Start a server on pipes, in a process group of its own.

    Raises:
        OSError: when it cannot be started.
    """
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **_APART)
    assert process.stdin and process.stdout and process.stderr
    return Child(
        process.pid, process.stdin.fileno(), process.stdout.fileno(), process.stderr.fileno(), process
    )  # fmt: skip


def start_recorder(command: list[str], fds: list[int], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a recorder that outlives this process; the descriptors become its last arguments."""
    null = subprocess.DEVNULL
    handed: dict[str, Any] = {"pass_fds": fds}
    words = fds
    if sys.platform == "win32":
        import msvcrt

        words = [msvcrt.get_osfhandle(fd) for fd in fds]
        for handle in words:
            os.set_handle_inheritable(handle, True)
        handed = {"startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": words})}
    return subprocess.Popen(
        [*command, *map(str, words)], stdin=null, stdout=null, stderr=null, env=environment, **handed, **_OUTLIVING
    )  # fmt: skip


def descriptors(words: list[str]) -> list[int]:
    """In the recorder: the descriptors behind its arguments."""
    numbers = [int(word) for word in words]
    if sys.platform == "win32":
        import msvcrt

        return [msvcrt.open_osfhandle(number, os.O_RDWR | os.O_BINARY) for number in numbers]
    return numbers
