"""The conformance suite counts the same through the tap as without it.

Neither the suite nor a server that it can test comes with a package that could be pinned here, so both are named from
outside: CONFORMANCE is the suite's command, CONFORMANCE_SERVER that of a server which listens on the port behind it.
"""

import os
import re
import shlex
import socket
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from .conftest import Tap, free_port

SUITE, SERVER = os.environ.get("CONFORMANCE"), os.environ.get("CONFORMANCE_SERVER")
pytestmark = pytest.mark.skipif(not (SUITE and SERVER), reason="CONFORMANCE and CONFORMANCE_SERVER name nothing to run")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen([*shlex.split(SERVER or ""), str(port)])
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/mcp"
    process.kill()
    process.wait(10)


def counts(url: str, revision: str) -> list[str]:
    """What the suite says of each scenario, and of them all."""
    command = [*shlex.split(SUITE or ""), "server", "--url", url, "--spec-version", revision]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    found = re.findall(r"^.*\d+ passed, \d+ failed.*$", done.stdout, re.MULTILINE)
    assert found, done.stdout[-2000:] + done.stderr[-2000:]
    return found


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_counts_are_the_same(revision: str, server: str, tap: Callable[..., Tap]) -> None:
    through = tap(server)
    assert counts(through.url, revision) == counts(server, revision)
    assert through.stop() == 0
    assert through.query("SELECT count(*) > 50 FROM messages") == [(True,)]
