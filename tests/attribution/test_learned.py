"""What certain cases teach, and the settings, through the whole program."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from auditor.formats.importer import import_file
from auditor.pipeline import reading, refresh

from ..models.story import Story

CITY = {"type": "object", "properties": {"city": {"type": "string"}}}


def write(folder: Path, *stories: Story) -> Path:
    file = folder / f"{stories[0].name}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for s in stories for line in s.lines), "utf-8")
    return file


def named(name: str) -> Story:
    """A session with a server that says its name: only of named servers something is kept."""
    story = Story(name, protocol=None)
    params = {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "c"}}
    story.client({"id": "init", "method": "initialize", "params": params})
    said = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "desk", "version": "1"}}
    return story.server({"id": "init", "result": said}).client({"method": "notifications/initialized"})


def lessons() -> Story:
    """Each tool asks in its own words while it alone is open."""
    story = named("lessons")
    for n in range(6):
        story.call(2 * n, "deploy").ask(2 * n).after(2).answer(2 * n).done(2 * n)
        story.call(2 * n + 1, "travel").ask(2 * n + 1, "Where to?", requestedSchema=CITY).after(2).answer(2 * n + 1)
        story.done(2 * n + 1)
    return story.bye()


def exam() -> Story:
    """Two calls at once, and nothing but words to tell whose the question is: both end together."""
    story = named("exam").call(1, "travel").call(2, "deploy").after(5)
    return story.ask(0).after(5).answer(0).after(5).done(1).done(2).bye()


def learned(db: Path) -> list[tuple[Any, ...]]:
    with reading(db) as con:
        return con.execute("SELECT * FROM learned ORDER BY ALL").fetchall()


def told(db: Path, story: str) -> list[tuple[Any, ...]]:
    with reading(db) as con:
        return con.execute(
            "SELECT e.tier, e.parent_rpc_id, e.confidence FROM elicitations e JOIN captures c USING (capture_id)"
            " WHERE c.cmd[1] = $story ORDER BY e.seq",
            {"story": story},
        ).fetchall()


def test_only_certain_cases_teach(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    import_file(write(tmp_path, exam()), "trace", db)
    refresh(db)
    assert learned(db) == []
    import_file(write(tmp_path, lessons()), "trace", db)
    refresh(db)
    assert {(row[1], row[3], row[4]) for row in learned(db)} == {("desk", "deploy", 6), ("desk", "travel", 6)}


def test_to_load_again_teaches_nothing_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db, file = tmp_path / "a.duckdb", write(tmp_path, lessons(), exam())
    import_file(file, "trace", db)
    refresh(db)
    before, said = learned(db), told(db, "exam")
    import_file(file, "trace", db)
    refresh(db)
    assert (learned(db), told(db, "exam")) == (before, said)
    monkeypatch.setenv("AUDITOR_ATTRIBUTION_THRESHOLD", "0.55")  # makes all anew
    refresh(db)
    assert learned(db) == before


def test_what_was_learned_tells_calls_apart(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    import_file(write(tmp_path, exam()), "trace", db)
    refresh(db)
    assert told(db, "exam")[0][0] == "ambiguous"
    taught = tmp_path / "b.duckdb"
    import_file(write(tmp_path, lessons()), "trace", taught)
    import_file(write(tmp_path, exam()), "trace", taught)
    refresh(taught)
    tier, parent, confidence = told(taught, "exam")[0]
    assert (tier, parent) == ("inferred", "2")
    assert 0.9 <= confidence <= 0.99


def run(db: Path, **env: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "auditor", "elicitations", "--db", str(db), "--format", "json"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **env})


def test_the_threshold_is_obeyed_and_changes_what_was_said(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    import_file(write(tmp_path, lessons(), exam()), "trace", db)

    def tier(**env: str) -> str:
        done = run(db, **env)
        assert done.returncode == 0, done.stderr
        return str(json.loads(done.stdout)[-1]["attribution"]["tier"])

    assert tier() == "inferred"
    assert tier(AUDITOR_ATTRIBUTION_THRESHOLD="0.9999") == "ambiguous"
    assert tier() == "inferred"


def test_a_bad_threshold_gets_one_sentence(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    import_file(write(tmp_path, exam()), "trace", db)
    for bad in ("soon", "0.2", "1", "nan"):
        done = run(db, AUDITOR_ATTRIBUTION_THRESHOLD=bad)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"auditor: AUDITOR_ATTRIBUTION_THRESHOLD={bad} is no number from 0.5 to 0.9999\n"
