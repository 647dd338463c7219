"""Where systems differ: what is done where Linux's own means are missing. Run on Linux, with those means taken away."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from auditor.tap import platform
from auditor.tap.control import SIZE, Control
from auditor.tap.place import Place
from auditor.tap.spool import C2S, DATA, Reader, Spool, memory


def _spool(cap: int = 1 << 20) -> tuple[Spool, Reader]:
    fd, control_fd = memory("spool"), memory("control")
    os.ftruncate(control_fd, SIZE)
    return Spool(fd, Control(control_fd), cap), Reader(fd)


@pytest.mark.parametrize("memfd", [True, False])
def test_the_spool_is_memory_or_a_file_that_has_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memfd: bool
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if not memfd:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    spool, reader = _spool()
    for n in range(3):
        spool.put(DATA, C2S, b"x" * n * 5000)
    assert [len(piece[4]) for piece in reader.pieces(100)] == [0]
    assert [len(piece[4]) for piece in reader.pieces(1 << 20)] == [5000, 10000]
    assert list(tmp_path.iterdir()) == []
    if not memfd:
        assert os.fstat(spool.fd).st_mode & 0o777 == 0o600
        assert os.fstat(spool.fd).st_nlink == 0


def test_a_command_is_found_by_its_full_name_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", {"npx": r"C:\node\npx.cmd"}.get)
    assert platform.resolve(["npx", "-y"]) == ["npx", "-y"]
    with monkeypatch.context() as m:
        m.setattr(os, "name", "nt")
        assert platform.resolve(["npx", "-y"]) == [r"C:\node\npx.cmd", "-y"]
        assert platform.resolve(["missing"]) == ["missing"]


def test_what_only_linux_has_is_left_out_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    platform.die_with_parent(-1)  # would end this process on Linux, whose parent is another
    platform.give_back(-1, 0, 4096)
    platform.widen(-1)


def test_only_signals_that_exist_are_forwarded() -> None:
    assert {int(signal.SIGINT), int(signal.SIGTERM)} <= set(platform.FORWARDED)
    assert signal.SIGKILL not in platform.FORWARDED


def test_a_place_that_was_half_written_leaves_the_one_before() -> None:
    fd = memory("control")
    os.ftruncate(fd, SIZE)
    control = Control(fd)
    assert control.place() == Place()
    first, second = Place(10, 2, ((5, 1), (-1, 0), (-1, 0))), Place(20, 4)
    control.keep(first)
    before = os.pread(fd, 256, 0)
    control.keep(second)
    assert Control(fd).place() == second
    os.pwrite(fd, before, 0)  # as if the recorder had been killed before it named the new slot
    assert Control(fd).place() == first


def test_at_the_cap_a_gap_stands_where_pieces_are_missing() -> None:
    spool, reader = _spool(cap=1000)
    spool.put(DATA, C2S, b"a" * 900)
    spool.put(DATA, C2S, b"b" * 900)
    assert spool.lost_bytes == 900
    spool.put(DATA, C2S, b"c")
    assert [piece[4] for piece in reader.pieces(1 << 20)] == [b"a" * 900, b"900", b"c"]
