"""Records sample_logs/ anew: plays the demo, and writes each session as a trace without a word of this machine.

python tools/samples.py
"""

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STARTED = 1_750_000_000.0  # seconds; all samples begin at this time
COMMAND = ["python", "-m", "auditor.demo.server"]


def main() -> int:
    """Play, convert, write; gives the exit code."""
    from auditor.demo.run import play
    from auditor.files import journals_dir

    with tempfile.TemporaryDirectory() as folder:
        db = play(Path(folder))
        for journal in sorted(journals_dir(db).glob("*.ndjson")):
            name, lines = trace(journal)
            (ROOT / "sample_logs" / f"{name}.jsonl").write_text("".join(lines), "utf-8")
            sys.stderr.write(f"sample_logs/{name}.jsonl: {len(lines)} lines\n")
    return 0


def trace(journal: Path) -> tuple[str, list[str]]:
    """A journal as (name of its story, lines of the trace format)."""
    from auditor.journal import records

    lines: list[str] = []
    name, first = "", 0
    for line in journal.read_bytes().splitlines():
        record = records.decode(line)
        first = first or record.ts_ns
        ts = round(STARTED + (record.ts_ns - first) / 1e9, 6)
        row: dict[str, Any] | None = None
        if isinstance(record, records.Start):
            name = record.name or ""
            row = {"ts": ts, "ev": "start", "cmd": COMMAND, "pid": 1}
        elif isinstance(record, records.Message):
            row = {"ts": ts, "dir": record.dir, "raw": record.raw}
        elif isinstance(record, records.Event) and record.ev in ("eof", "exit"):
            row = {"ts": ts, "ev": record.ev} | ({"dir": record.dir} if record.dir else {"rc": record.rc})
        if row is not None:
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return name, _scrubbed(lines)


def _scrubbed(lines: list[str]) -> list[str]:
    """Without absolute paths, and with fingerprints that do not depend on the key."""
    known: dict[str, str] = {}

    def numbered(m: re.Match[str]) -> str:
        return "fp=" + known.setdefault(m[1], f"{len(known) + 1:0{len(m[1])}x}")

    return [re.sub(r"fp=([0-9a-f]{12,})", numbered, _without_paths(line)) for line in lines]


def _without_paths(line: str) -> str:
    return re.sub(r"(?<![\w/:.])/(?:home|root|tmp|work|Users|usr|opt|var)/[^\s\"\\]*", "/path", line)


if __name__ == "__main__":
    sys.exit(main())
