"""What a recorder takes: large messages cost it a few times their size, and no more."""

import os
import sys
import threading
from pathlib import Path

import pytest

from .processes import recorded, recorder_of, script, spawn, tap, texts, wait_for

SERVER = """
import os
while data := os.read(0, 1 << 20):
    while data:
        data = data[os.write(1, data):]
"""
LARGE = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"' + b"lorem ipsum " * 833_333 + b'"}}\n'
COUNT = 4


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of another process is read from /proc")
def test_messages_of_10_mb_take_less_than_120_mb(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    peer = spawn(tap(db, *script(SERVER)))
    assert peer.stdin and peer.stdout
    stdin, stdout = peer.stdin.fileno(), peer.stdout.fileno()

    def send() -> None:
        for _ in range(COUNT):
            view = memoryview(LARGE)
            while view:
                view = view[os.write(stdin, view) :]

    threading.Thread(target=send, daemon=True).start()
    got = 0
    while got < COUNT * len(LARGE):
        got += len(os.read(stdout, 1 << 20))
    recorder = wait_for(lambda: recorder_of(peer.pid), "a recorder")
    folder = tmp_path / "a.duckdb.journals"
    wait_for(lambda: sum(p.stat().st_size for p in folder.glob("*")) > 2 * COUNT * len(LARGE), "the record")
    peak_kb = int(Path(f"/proc/{recorder}/status").read_text().split("VmHWM:")[1].split()[0])
    peer.communicate(timeout=60)
    assert peak_kb < 120_000
    assert texts(recorded(db), "s2c") == [LARGE[:-1].decode()] * COUNT
