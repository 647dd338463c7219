"""The conformance suite counts the same through the tap as without it.

Neither the suite nor a server that it can test comes with a package that could be pinned here, so both are named from
outside: CONFORMANCE is the suite's command, CONFORMANCE_SERVER that of a server which listens on the port behind it,
CONFORMANCE_CLIENT that of a client which the suite starts with an address behind it.
"""

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from .conftest import PROGRAMS, ROOT, Tap, free_port

SUITE, SERVER, CLIENT = (os.environ.get(f"CONFORMANCE{what}") for what in ("", "_SERVER", "_CLIENT"))
need = pytest.mark.skipif

# The suite's authorization server has a port of its own, is told the tap's URL as `resource`, and knows the upstream's.
ONE_CHECK_LESS = {
    *(f"auth/metadata-{which}" for which in ("default", "var1", "var2", "var3")),
    *(f"auth/token-endpoint-auth-{how}" for how in ("basic", "post", "none")),
}


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


def counts(*what: str) -> list[str]:
    """What the suite says of each scenario, and of them all."""
    command = [*shlex.split(SUITE or ""), *what]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=ROOT)
    found = re.findall(r"^.*\d+ passed, \d+ failed.*$", done.stdout, re.MULTILINE)
    assert found, done.stdout[-2000:] + done.stderr[-2000:]
    return found


@need(not (SUITE and SERVER), reason="CONFORMANCE and CONFORMANCE_SERVER name nothing to run")
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_counts_are_the_same(revision: str, server: str, tap: Callable[..., Tap]) -> None:
    through = tap(server)
    asked = ("--spec-version", revision)
    assert counts("server", "--url", through.url, *asked) == counts("server", "--url", server, *asked)
    assert through.stop() == 0
    assert through.query("SELECT count(*) > 50 FROM messages") == [(True,)]


def logins(client: str) -> dict[str, tuple[int, int]]:
    """Checks passed and failed, of each scenario of logging in."""
    lines = counts("client", "--suite", "auth", "--command", client, "--timeout", "120000")
    found = (re.search(r"(auth/\S+): (\d+) passed, (\d+) failed", line) for line in lines)
    return {one[1]: (int(one[2]), int(one[3])) for one in found if one}


@need(not (SUITE and CLIENT), reason="CONFORMANCE and CONFORMANCE_CLIENT name nothing to run")
def test_logins_but_for_one_check() -> None:
    direct = logins(CLIENT or "")
    through = logins(shlex.join([sys.executable, str(PROGRAMS / "through_tap.py"), *shlex.split(CLIENT or "")]))
    assert set(direct) >= ONE_CHECK_LESS
    less = {name: (passed - 1, failed + 1) for name, (passed, failed) in direct.items() if name in ONE_CHECK_LESS}
    assert through == direct | less
