"""Whatever a peer sends, the rules run through and say something that can be stored."""

import json
import random
from pathlib import Path
from typing import Any

from auditor.formats.importer import import_file
from auditor.pipeline import reading, refresh

from .conftest import all_cases
from .transcript import needs_journal, trace

ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e308, 10**30, -(2**63), "", "x", "\x00", "\u202e", "a/b~c", "[REDACTED:key:fp=00]",
    [], {}, [[]], [None], {"": None}, {"a": {"a": {"a": 1}}}, ["x"] * 50, {"$ref": "#"}, {"type": []}, "9" * 400,
    "'; DROP TABLE findings; --", "%{x}",
    {"type": "object", "properties": {"a": 1, "": None, "r": {"$ref": "#/properties/r"}}, "required": 5},
]  # fmt: skip
DEEP = "[" * 2000 + "]" * 2000


def mutated(value: Any, chance: float, rng: random.Random) -> Any:
    """A value with some of its parts replaced, removed or doubled."""
    if rng.random() < chance:
        return rng.choice(ODD)
    if isinstance(value, dict):
        kept = {k: mutated(v, chance, rng) for k, v in value.items() if rng.random() > chance / 3}
        return kept | ({rng.choice(["", "~/", "_meta", "a" * 300]): rng.choice(ODD)} if rng.random() < chance else {})
    if isinstance(value, list):
        return [mutated(v, chance, rng) for v in value] * (2 if rng.random() < chance else 1)
    return value


def hostile(line: str, rng: random.Random) -> str:
    row = json.loads(line)
    if "raw" in row:
        try:
            message = json.loads(row["raw"])
        except ValueError:
            return line
        kept = (
            {k: v for k, v in message.items() if k in ("jsonrpc", "id", "method")} if isinstance(message, dict) else {}
        )
        changed = mutated(message, rng.choice([0.02, 0.1, 0.3]), rng)
        if isinstance(changed, dict) and rng.random() < 0.7:
            changed |= kept
        row["raw"] = DEEP if rng.random() < 0.01 else json.dumps(changed)
    return json.dumps(row)


def test_mutated_traffic(tmp_path: Path) -> None:
    rng = random.Random(20260728)
    cases = [trace(case) for case in all_cases() if not needs_journal(case)]
    db, file = tmp_path / "h.duckdb", tmp_path / "h.jsonl"
    lines = [hostile(line, rng) for case in cases for line in case]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    import_file(file, "trace", db)
    refresh(db)
    with reading(db) as con:
        assert con.execute("SELECT capture_id, problem FROM ingested WHERE problem IS NOT NULL").fetchall() == []
        analyzed = con.execute("SELECT count(*) FROM ingested WHERE analyzed_records = records_loaded").fetchone()
        assert analyzed == (sum('"ev": "start"' in line for line in lines),)
        count, rules = con.execute("SELECT count(*), count(DISTINCT rule) FROM findings").fetchone() or (0, 0)
        assert count > 100
        assert rules > 30
        broken = con.execute(
            "SELECT rule FROM findings WHERE json_type(evidence) <> 'OBJECT' OR message IS NULL"
        ).fetchall()
        assert broken == []
