"""How long it takes from journals to findings, what memory it needs, and how both grow.

    python benchmarks/scale.py [--messages 1000000] [--shape many|one] [--stages]

Makes journals of sessions of about a hundred messages (`many`: one a capture; `one`: a single capture with one endless
session), then measures a first refresh, a refresh with nothing new, and one after a single capture grew. Each refresh
runs in a process of its own, whose peak memory and processor time are those of all its children, too.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from auditor.files import journals_dir, private_dir
from auditor.journal.records import Direction, Event, Message, Record, Seal, Start, encode
from auditor.wire.envelope import Envelope, envelope

T0_NS = 1_790_000_000 * 10**9
TOOLS = ("create_deployment", "search_issues", "read_file", "run_query", "send_mail")
VARIANTS = 40
Step = tuple[int, Direction, str, Envelope]


class Script:
    """Writes the messages of sessions down, each with the time since the one before it, in nanoseconds."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.steps: list[Step] = []
        self.ids = 0
        self.prompts = 0

    def say(self, direction: Direction, gap_ms: float, **message: object) -> None:
        message = {"jsonrpc": "2.0", **message}
        text = json.dumps(message, separators=(",", ":"))
        self.steps.append((int(gap_ms * 1e6), direction, text, envelope(message)))

    def handshake(self) -> None:
        capabilities = {"elicitation": {"form": {}, "url": {}}, "roots": {}}
        self.say(
            "c2s",
            1,
            id=self._id(),
            method="initialize",
            params={
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": {"name": "bench", "version": "1"},
            },
        )
        self.say(
            "s2c",
            5,
            id=self.ids,
            result={
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "srv", "version": "2"},
            },
        )
        self.say("c2s", 1, method="notifications/initialized")
        self.say("c2s", 1, id=self._id(), method="tools/list")
        schema = {"type": "object", "properties": {k: {"type": "string"} for k in ("repository", "branch", "query")}}
        self.say(
            "s2c",
            4,
            id=self.ids,
            result={
                "tools": [
                    {"name": t, "description": f"Does what {t} says, and more of it.", "inputSchema": schema}
                    for t in TOOLS
                ]
            },
        )

    def calls(self, messages: int) -> None:
        """Calls, one to three at once, until about `messages` more messages are written."""
        end = len(self.steps) + messages
        while len(self.steps) < end:
            opened = []
            for _ in range(self.random.choice((1, 1, 1, 2, 3))):
                opened.append(self._id())
                tool = self.random.choice(TOOLS)
                arguments = {"repository": f"org/repo-{self.random.randrange(50)}", "query": self._words(12)}
                params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": self.ids}}
                self.say("c2s", self._gap(), id=self.ids, method="tools/call", params=params)
            if self.random.random() < 0.12:
                self._prompt()
            self.random.shuffle(opened)
            for call in opened:
                if self.random.random() < 0.1:
                    self.say(
                        "s2c",
                        self._gap(),
                        method="notifications/progress",
                        params={"progressToken": call, "progress": 1},
                    )
                if self.random.random() < 0.998:
                    content = [{"type": "text", "text": self._words(40)}]
                    self.say("s2c", self._gap(), id=call, result={"content": content, "isError": False})

    def _prompt(self) -> None:
        self.prompts += 1
        fields = {"environment": {"type": "string", "enum": ["staging", "production"]}, "branch": {"type": "string"}}
        self.say(
            "s2c",
            self._gap(),
            id=self.prompts,
            method="elicitation/create",
            params={
                "mode": "form",
                "message": f"Deploy {self._words(5)}?",
                "requestedSchema": {"type": "object", "properties": fields, "required": ["environment"]},
            },
        )
        action = self.random.choice(("accept", "accept", "accept", "decline", "cancel"))
        result: dict[str, object] = {"action": action}
        if action == "accept":
            result["content"] = {"environment": "staging", "branch": "main"}
        self.say("c2s", self.random.lognormvariate(8, 1), id=self.prompts, result=result)

    def _id(self) -> int:
        self.ids += 1
        return self.ids

    def _gap(self) -> float:
        return self.random.expovariate(0.1)

    def _words(self, n: int) -> str:
        return " ".join(f"w{self.random.randrange(4000)}" for _ in range(n))


def records(steps: list[Step], capture: str, start_ns: int) -> Iterator[Record]:
    """A whole capture: start, messages, exit, seal."""
    yield Start(
        seq=0, ts_ns=start_ns, v=1, capture=capture, transport="stdio", cmd=["srv"], auditor="bench", key_id="k"
    )
    ts_ns = start_ns
    for seq, (gap_ns, direction, text, env) in enumerate(steps, 1):
        ts_ns += gap_ns
        yield Message(seq=seq, ts_ns=ts_ns, dir=direction, bytes=len(text) + 1, env=env, raw=text)
    yield Event(seq=len(steps) + 1, ts_ns=ts_ns, ev="exit", rc=0)
    yield Seal(seq=len(steps) + 2, ts_ns=ts_ns, messages=len(steps), events=1)


def write(path: Path, chain: Iterator[Record]) -> None:
    """Write a journal."""
    lines, previous = [], ""
    for record in chain:
        line, previous = encode(record, previous)
        lines.append(line)
    path.write_bytes(b"".join(lines))


def generate(folder: Path, messages: int, shape: str) -> None:
    """Fill a folder with journals."""
    if shape == "one":
        script = Script(1)
        script.handshake()
        script.calls(messages)
        path = folder / "20260901T000000-00000000.ndjson"
        write(path, records(script.steps, path.stem, T0_NS))
        return
    scripts = []
    for seed in range(VARIANTS):
        script = Script(seed)
        script.handshake()
        script.calls(95)
        scripts.append(script.steps)
    done = n = 0
    while done < messages:
        steps, name = scripts[n % VARIANTS], f"20260901T000000-{n:08x}"
        write(folder / f"{name}.ndjson", records(steps, name, T0_NS + n * 7 * 10**9))
        done, n = done + len(steps), n + 1


def growing(folder: Path, whole: bool) -> None:
    """One more capture of a hundred messages, at first a running one of fifty."""
    script = Script(999)
    script.handshake()
    script.calls(95)
    path = folder / "20260902T000000-00000000.ndjson"
    write(path, records(script.steps, path.stem, T0_NS))
    if not whole:
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:50]))


def measured(code: str, *arguments: object) -> dict[str, float]:
    """Wall and processor seconds and peak MB of a Python process that runs `code` with some arguments.

    Memory is that of the process and all its children at once, looked at five times a second; what they share counts
    once. Where there is no /proc it is the peak of the process alone.
    """
    tail = (
        "import resource as r;print([u.ru_utime+u.ru_stime for u in map(r.getrusage,(0,-1))],r.getrusage(0).ru_maxrss)"
    )
    command = [sys.executable, "-c", f"{code}\n{tail}", *map(str, arguments)]
    began = time.perf_counter()
    peak_kb = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            peak_kb = max(peak_kb, sum(map(resident_kb, tree(process.pid))))
            time.sleep(0.2)
        assert process.stdout is not None
        said = process.stdout.read()
    wall = time.perf_counter() - began
    if process.returncode:
        raise SystemExit(process.returncode)
    used, own_kb = said.splitlines()[-1].rsplit(" ", 1)
    peak_kb = peak_kb or int(own_kb)
    return {"wall_s": round(wall, 2), "cpu_s": round(sum(json.loads(used)), 2), "peak_mb": round(peak_kb / 1024)}


def tree(pid: int) -> list[int]:
    """A process and all that come from it, on Linux."""
    try:
        children = [int(c) for f in Path(f"/proc/{pid}/task").glob("*/children") for c in f.read_text().split()]
    except OSError:
        children = []
    return [pid, *(p for child in children for p in tree(child))]


def resident_kb(pid: int) -> int:
    """What a process holds in memory, its part of what it shares with others included."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0)


REFRESH = "import sys,pathlib;from auditor.pipeline import refresh;refresh(pathlib.Path(sys.argv[1]))"
INGEST = (
    "import sys,pathlib;from auditor.store import database,ingest;p=pathlib.Path(sys.argv[1]);c=database.connect(p)\n"
    "j=p.with_name(p.name+'.journals');c.execute('BEGIN')\n"
    "with ingest.spool_for(j) as spool: ingest.load(c,ingest.Reading(ingest.pending(c,j),spool,careful=False))\n"
    "c.execute('COMMIT');c.close()"
)
GENERATE = (
    "import sys,pathlib;sys.path.insert(0,sys.argv[1]);import scale\n"
    "scale.generate(pathlib.Path(sys.argv[2]),int(sys.argv[3]),sys.argv[4])"
)


def say(text: str) -> None:
    """One line on stdout."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> None:
    """Print one line of figures a step."""
    options = argparse.ArgumentParser(description="From journals to findings: time, memory, growth.")
    options.add_argument("--messages", type=int, default=1_000_000)
    options.add_argument("--shape", choices=("many", "one"), default="many")
    options.add_argument(
        "--stage", choices=("refresh", "ingest"), default="refresh", help="stop after the load with ingest"
    )
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        db = Path(place) / "bench.duckdb"
        folder = private_dir(journals_dir(db))
        growing(folder, whole=False)
        measured(GENERATE, Path(__file__).parent, folder, given.messages, given.shape)  # its memory is not ours
        size = sum(path.stat().st_size for path in folder.iterdir())
        say(f"{given.messages} messages, shape {given.shape}, {size / 1e6:.0f} MB of journals, {os.cpu_count()} cores")
        code = REFRESH if given.stage == "refresh" else INGEST
        for step in ("first", "nothing new", "one capture grew"):
            if step == "one capture grew":
                growing(folder, whole=True)
            say(f"{step:>17}: {measured(code, db)}")
        say(f"{'database':>17}: {db.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
