"""What a test starts ends with it."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def nothing_goes_on(tmp_path: Path) -> Iterator[None]:
    """Recorders go on as loaders of databases that nobody will read: half of the time that these tests would take."""
    yield
    place = os.fsencode(tmp_path)
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if place in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
