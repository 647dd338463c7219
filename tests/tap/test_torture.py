"""Kill any of the four processes at a random moment under load: what the client saw stands in the journal, whole."""

import random
import subprocess
import time
from pathlib import Path

import pytest

from auditor.journal.records import Message
from tests.tap.processes import (
    DEADLINE_S,
    alive,
    kill,
    read_line,
    recorder_of,
    records,
    script,
    sealed,
    tap,
    wait_for,
)

pytestmark = pytest.mark.torture
RUNS = 30
VICTIMS = ("tap", "recorder", "server", "client")
SERVER = script(
    "os.write(1, b'%d\\n' % os.getpid())\n"
    "rest = b''\n"
    "while d := os.read(0, 65536):\n"
    "    *lines, rest = (rest + d).split(b'\\n')\n"
    "    data = b''.join(line.replace(b'\"method\":\"ping\",\"params\"', b'\"result\"') + b'\\n' for line in lines)\n"
    "    while data: data = data[os.write(1, data):]\n"
)
CLIENT = (
    "import threading\n"
    "tap = subprocess.Popen(sys.argv[2:], stdin=-1, stdout=-1, bufsize=0)\n"
    "print(tap.pid, tap.stdout.readline().decode(), end='', flush=True)\n"
    "def ask():\n"
    "    for n in range(6000):\n"
    "        if n % 50 == 0 and os.path.exists(sys.argv[1] + '.enough'): break\n"
    "        text = 'x' * (n * 37 % 900)\n"
    '        line = f\'{{"jsonrpc":"2.0","id":{n},"method":"ping","params":{{"t":"{text}"}}}}\\n\'.encode()\n'
    "        try: os.write(tap.stdin.fileno(), line)\n"
    "        except OSError: break\n"
    "        time.sleep(0.0002)\n"
    "    tap.stdin.close()\n"
    "threading.Thread(target=ask).start()\n"
    "seen = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)\n"
    "while d := os.read(tap.stdout.fileno(), 65536): os.write(seen, d)\n"
    "tap.wait()\n"
)


@pytest.mark.parametrize("run", range(RUNS))
def test_nothing_that_was_seen_is_missing(tmp_path: Path, run: int) -> None:
    rng = random.Random(run)
    victim = VICTIMS[run % 4]
    db, seen = tmp_path / "a.duckdb", tmp_path / "seen"
    client = subprocess.Popen(script(CLIENT, str(seen), *tap(db, *SERVER)), stdout=subprocess.PIPE)
    assert client.stdout
    tap_pid, server = map(int, read_line(client.stdout.fileno()).split())
    client.stdout.close()
    wait_for(lambda: seen.exists() and seen.stat().st_size > 1000, "some traffic")
    time.sleep(rng.random() * 0.4)
    if victim == "recorder":
        _kill_recorders(tap_pid, rng)
        (tmp_path / "seen.enough").touch()
    else:
        kill({"tap": tap_pid, "server": server, "client": client.pid}[victim])
    client.wait(DEADLINE_S)
    wait_for(lambda: not alive(tap_pid) and not alive(server), "the end of tap and server")
    found = [r for r in records(sealed(db)[0]) if isinstance(r, Message)]
    held = [r.raw for r in found if r.dir == "s2c"]
    whole = seen.read_text().split("\n")[:-1]
    assert held[: len(whole)] == whole
    asked = [r.env.id for r in found if r.dir == "c2s"]
    assert asked == [str(n) for n in range(len(asked))]
    answered = [r.env.id for r in found if r.dir == "s2c"]
    assert answered == [str(n) for n in range(len(answered))]


def _kill_recorders(tap_pid: int, rng: random.Random) -> None:
    for _ in range(3):
        recorder = recorder_of(tap_pid)
        if recorder:
            kill(recorder)
        time.sleep(rng.random() * 0.3)
