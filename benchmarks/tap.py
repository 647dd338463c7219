"""What the stdio tap costs: the server alone, a bare pump of two threads, and `auditor record`, in turns in one run.

    python benchmarks/tap.py [--rounds N] [--trips N] [--check]

Each figure is the median over the rounds. Ratios are taken within a round, between neighbours in time, because a busy
machine makes the figures themselves wander: round trips of the three take turns in small blocks. The bare pump records
nothing: it is the floor for a tap in Python.
`--check` exits 1 when a target is missed.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PING_BYTES, CALL_BYTES, FLOW_BYTES, LARGE_BYTES = 300, 1024, 500, 10_000_000
WINDOW = 64
FLOW = 6_000
BACKLOG = 50_000
BLOCK = 100
LARGE_COUNT = 2
SETTLE_S = 0.6  # until a recorder has loaded

SERVER = """
import os
LARGE = b'{"jsonrpc":"2.0","id":1,"result":{"text":"' + b"0123456 " * 1_250_000 + b'"}}\\n'
def say(data):
    view = memoryview(data)
    while view:
        view = view[os.write(1, view):]
def reply(line):
    if b'"large"' in line:
        return LARGE
    if len(line) > 1_000_000:
        return b'{"jsonrpc":"2.0","id":1,"result":{}}\\n'
    return line.replace(b'"method":"echo","params"', b'"result"', 1) + b"\\n"
begun = []
while chunk := os.read(0, 1 << 20):
    head, found, tail = chunk.rpartition(b"\\n")
    if not found:
        begun.append(chunk)
        continue
    lines = (b"".join(begun) + head).split(b"\\n")
    begun = [tail]
    say(b"".join(map(reply, lines)))
"""

BARE = """
import os, subprocess, sys, threading
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
def forward(source, sink, end):
    while data := os.read(source, 65536):
        view = memoryview(data)
        while view:
            view = view[os.write(sink, view):]
    end()
threading.Thread(target=forward, args=(0, server.stdin.fileno(), server.stdin.close), daemon=True).start()
forward(server.stdout.fileno(), 1, lambda: None)
os._exit(server.wait())
"""


class Figures(NamedTuple):
    """One run of one variant: milliseconds, microseconds, messages and megabytes a second."""

    first_ms: float
    ping_p50_us: float
    ping_p99_us: float
    call_p50_us: float
    flow_per_s: float
    large_s2c_mb_s: float
    large_c2s_mb_s: float


class Target(NamedTuple):
    """A bound on a ratio of `auditor record` to another variant."""

    figure: str
    against: str
    at_most: float | None = None
    at_least: float | None = None


TARGETS = (
    Target("ping_p50_us", "bare", at_most=1.25),
    Target("ping_p99_us", "bare", at_most=1.6),
    Target("call_p50_us", "bare", at_most=1.25),
    Target("flow_per_s", "direct", at_least=0.60),
    Target("large_s2c_mb_s", "direct", at_least=0.60),
    Target("large_c2s_mb_s", "direct", at_least=0.60),
)
MAX_FIRST_MS, MAX_CATCH_UP_S, MAX_PEAK_MB = 120.0, 5.0, 120


class Client:
    """A client on raw descriptors."""

    def __init__(self, command: list[str]) -> None:
        self.begun = time.perf_counter()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self._process.stdin and self._process.stdout
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()

    def ask(self, data: bytes) -> int:
        """Send one line and wait for the answer's end; gives its size."""
        self._send(data)
        size = 0
        while True:
            chunk = os.read(self._out, 1 << 20)
            if not chunk:
                raise SystemExit("the server ended too early")
            size += len(chunk)
            if chunk.endswith(b"\n"):
                return size

    def _send(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._in, view) :]

    def trips_us(self, count: int, size: int) -> list[float]:
        """Round trips, one at a time."""
        times = []
        for number in range(count + 30):
            data = line(number, size)
            begun = time.perf_counter()
            self.ask(data)
            times.append((time.perf_counter() - begun) * 1e6)
        return times[30:]

    def flow(self, count: int) -> float:
        """Messages a second with a window of them in flight."""
        free = threading.Semaphore(WINDOW)

        def hear() -> None:
            left = count
            while left:
                ends = os.read(self._out, 1 << 20).count(b"\n")
                left -= ends
                free.release(ends)

        listener = threading.Thread(target=hear)
        listener.start()
        begun = time.perf_counter()
        for number in range(count):
            free.acquire()
            self._send(line(number, FLOW_BYTES))
        listener.join()
        return count / (time.perf_counter() - begun)

    def recorder_peak_mb(self) -> float | None:
        """The most memory that the recorder below this process had so far."""
        try:
            for child in Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split():
                if b"auditor.tap.boot" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(Path(f"/proc/{child}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
        except OSError:
            pass
        return None

    def close(self) -> None:
        """Close stdin and wait for the end."""
        self._process.communicate(timeout=60)


def line(number: int, size: int) -> bytes:
    """A request of about `size` bytes."""
    head = f'{{"jsonrpc":"2.0","id":{number},"method":"echo","params":{{"text":"'
    return (head + "x" * max(0, size - len(head) - 5) + '"}}\n').encode()


def measure(commands: dict[str, list[str]], trips: int) -> dict[str, Figures]:
    """All figures of one round. Round trips take turns in small blocks: whatever else happens hits all alike."""
    clients, first = {}, {}
    for name, command in commands.items():
        clients[name] = client = Client(command)
        client.ask(line(0, PING_BYTES))
        first[name] = (time.perf_counter() - client.begun) * 1e3
    time.sleep(SETTLE_S)
    ping, call = in_turns(clients, trips, PING_BYTES), in_turns(clients, trips, CALL_BYTES)
    figures = {}
    for name, client in clients.items():
        flow = client.flow(FLOW)
        begun = time.perf_counter()
        down = client.ask(b'{"jsonrpc":"2.0","id":1,"method":"large"}\n')
        between = time.perf_counter()
        up = line(1, LARGE_BYTES)
        client.ask(up)
        ended = time.perf_counter()
        client.close()
        figures[name] = Figures(
            first[name], at(ping[name], 0.5), at(ping[name], 0.99), at(call[name], 0.5), flow,
            down / 1e6 / (between - begun), len(up) / 1e6 / (ended - between),
        )  # fmt: skip
    return figures


def in_turns(clients: dict[str, Client], trips: int, size: int) -> dict[str, list[float]]:
    """Round trips of each, block by block, sorted."""
    times: dict[str, list[float]] = {name: [] for name in clients}
    for _ in range(max(1, trips // BLOCK)):
        for name, client in clients.items():
            times[name] += client.trips_us(BLOCK, size)
    return {name: sorted(found) for name, found in times.items()}


def at(ordered: list[float], share: float) -> float:
    """A quantile."""
    return ordered[int(len(ordered) * share)]


def recorder_peak_mb(db: Path, server: list[str]) -> float | None:
    """The most memory of a recorder with large messages; None where the system does not tell."""
    client = Client(record(db, server))
    for _ in range(LARGE_COUNT):
        client.ask(line(1, LARGE_BYTES))
        client.ask(b'{"jsonrpc":"2.0","id":1,"method":"large"}\n')
    folder = db.with_name(db.name + ".journals")
    while sum(path.stat().st_size for path in folder.glob("*.ndjson")) < 2 * LARGE_COUNT * LARGE_BYTES * 0.99:
        time.sleep(0.02)
    peak = client.recorder_peak_mb()
    client.close()
    return peak


def catch_up_s(db: Path, server: list[str]) -> float:
    """From the last of many messages to the sealed journal."""
    client = Client(record(db, server))
    client.flow(BACKLOG)
    begun = time.perf_counter()
    client.close()
    folder = db.with_name(db.name + ".journals")
    while not any(b'{"k":"seal"' in path.read_bytes()[-4096:] for path in folder.glob("*.ndjson")):
        time.sleep(0.02)
    return time.perf_counter() - begun


def record(db: Path, server: list[str]) -> list[str]:
    """The server behind the tap."""
    return [sys.executable, "-m", "auditor", "record", "--db", str(db), "--", *server]


def ratios(rounds: list[dict[str, Figures]], figure: str, against: str) -> float:
    """The tap to another variant, round by round."""
    return statistics.median(getattr(r["tap"], figure) / getattr(r[against], figure) for r in rounds)


def report(rounds: list[dict[str, Figures]], caught_up_s: float, peak_mb: float | None) -> Iterator[tuple[str, bool]]:
    """Lines to print, and whether each is as it should be."""
    for variant in rounds[0]:
        medians = {f: statistics.median(getattr(r[variant], f) for r in rounds) for f in Figures._fields}
        yield f"{variant:7}" + "".join(f"  {name} {value:.0f}" for name, value in medians.items()), True
    for target in TARGETS:
        ratio = ratios(rounds, target.figure, target.against)
        good = ratio <= (target.at_most or ratio) and ratio >= (target.at_least or ratio)
        bound = f"at most {target.at_most}" if target.at_most else f"at least {target.at_least}"
        yield f"{target.figure}: {ratio:.2f} times {target.against} ({bound})", good
    added = statistics.median(r["tap"].first_ms - r["direct"].first_ms for r in rounds)
    yield f"first answer: {added:.0f} ms later than direct (at most {MAX_FIRST_MS:.0f})", added <= MAX_FIRST_MS
    yield (
        f"catch-up after {BACKLOG} messages: {caught_up_s:.1f} s (at most {MAX_CATCH_UP_S})",
        caught_up_s <= MAX_CATCH_UP_S,
    )
    if peak_mb is not None:
        yield f"recorder with 10 MB messages: {peak_mb:.0f} MB (at most {MAX_PEAK_MB})", peak_mb <= MAX_PEAK_MB


def main() -> int:
    """Measure, print, and judge when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trips", type=int, default=1000)
    parser.add_argument("--check", action="store_true", help="exit 1 when a target is missed")
    options = parser.parse_args()
    server = [sys.executable, "-c", SERVER]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        rounds = []
        for number in range(options.rounds):
            commands = {
                "direct": server,
                "bare": [sys.executable, "-c", BARE, *server],
                "tap": record(Path(folder) / f"{number}.duckdb", server),
            }
            rounds.append(measure(commands, options.trips))
        caught_up_s = catch_up_s(Path(folder) / "backlog.duckdb", server)
        peak_mb = recorder_peak_mb(Path(folder) / "large.duckdb", server)
    missed = 0
    for text, good in report(rounds, caught_up_s, peak_mb):
        missed += not good
        sys.stdout.write(f"{'' if good else 'MISSED  '}{text}\n")
    return int(bool(options.check and missed))


if __name__ == "__main__":
    sys.exit(main())
