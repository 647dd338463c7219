"""Each sample gives what its golden file says. `UPDATE_GOLDEN=1 pytest tests/cli/test_golden.py` writes them anew."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from .conftest import SAMPLES, auditor

GOLDEN = Path(__file__).parent / "golden"


def described(db: Path) -> str:
    """What the program says of a store, without capture ids and times."""

    def rows(*args: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(auditor(db, *args, "--format", "json").stdout)
        return found

    lines = ["calls"]
    for c in rows("calls"):
        lines.append(f"  {c['seq']} {c['tool']} {c['outcome']} legs {c['legs']} prompts {c['prompts']}")
    lines.append("prompts")
    for e in rows("elicitations", "--kind", "all"):
        parent, tier = e["parent"] or {}, e["attribution"]["tier"]
        lines.append(f"  {e['seq']} {e['carriage']} {e['mode']} {e['outcome']} of call {parent.get('seq')} ({tier})")
    lines.append("orphans")
    lines += [f"  {o['seq']} {o['kind']} {o['method']}" for o in rows("orphans")]
    lines.append("findings")
    lines += [f"  {f['seq']} {f['rule']} {f['severity']} {f['subject']}: {f['message']}" for f in rows("findings")]
    return re.sub(r"\b\d+(?:\.\d+)? ?(?:ms|s|min)\b", "TIME", "\n".join(lines)) + "\n"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda p: p.stem)
def test_a_sample_gives_what_its_golden_file_says(sample: Path, tmp_path: Path) -> None:
    db = tmp_path / "audit.duckdb"
    auditor(db, "import", str(sample))
    got, golden = described(db), GOLDEN / f"{sample.stem}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(got, "utf-8")
    assert got == golden.read_text("utf-8")


def test_there_is_a_sample_for_each_golden_file_and_a_row_in_the_table() -> None:
    stems = {p.stem for p in SAMPLES}
    assert stems == {p.stem for p in GOLDEN.glob("*.txt")}
    table = (SAMPLES[0].parent / "README.md").read_text("utf-8")
    assert {m[1] for m in re.finditer(r"^\| \[(\w+)\.jsonl\]", table, re.MULTILINE)} == stems
