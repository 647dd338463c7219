"""The demo as a user runs it: the whole story, the report, and none of the planted secrets on disk."""

import json
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from auditor.demo.secrets import PLANTED


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> "tuple[Path, str, float]":
    """The folder of a demo that was run twice, what it printed, and how long the second run took."""
    folder = tmp_path_factory.mktemp("demo") / "demo"
    command = [sys.executable, "-m", "auditor", "demo", "--folder", str(folder)]
    for _ in range(2):
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
    return folder, done.stdout, time.monotonic() - began


def rows(folder: Path, *args: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "auditor", *args, "--db", str(folder / "demo.duckdb"), "--format", "json"]
    found: list[dict[str, Any]] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


def test_the_story(demo: "tuple[Path, str, float]") -> None:
    folder, printed, _ = demo
    names = {s["session"]: s["name"] for s in rows(folder, "sessions")}
    assert sorted(names.values()) == [
        "answers", "credentials", "incapable", "interleaved", "rounds", "unanswered", "withdrawn",
    ]  # fmt: skip
    outcomes: dict[str, list[str]] = {}
    for e in rows(folder, "elicitations"):
        outcomes.setdefault(names[e["session"]], []).append(e["outcome"])
    assert outcomes == {
        "answers": ["accept", "decline", "cancel"],
        "unanswered": ["timeout"],
        "credentials": ["accept", "accept"],
        "interleaved": ["accept", "accept"],
        "withdrawn": ["cancelled_parent"],
        "rounds": ["accept", "decline"],
    }
    assert "interleaved" in printed and str(folder / "report.html") in printed


def test_the_badly_made_form_is_found(demo: "tuple[Path, str, float]") -> None:
    found = rows(demo[0], "findings", "--rule", "ELI-017")
    assert len(found) == 1


def test_interleaved_prompts_are_given_to_their_calls_or_left_open(demo: "tuple[Path, str, float]") -> None:
    folder = demo[0]
    (session,) = [s["session"] for s in rows(folder, "sessions") if s["name"] == "interleaved"]
    for e in rows(folder, "elicitations", "--session", session):
        tier = e["attribution"]["tier"]
        assert tier in ("inferred", "ambiguous")
        if tier == "inferred":
            assert e["parent"]["rpc_id"] == (2 if "website" in e["message"] else 3)


def test_no_planted_secret_is_in_any_file(demo: "tuple[Path, str, float]") -> None:
    files = [p for p in demo[0].rglob("*") if p.is_file()]
    assert any(p.suffix == ".duckdb" for p in files) and any(p.suffix == ".ndjson" for p in files)
    for path in files:
        data = path.read_bytes()
        assert not any(secret.encode() in data for secret in PLANTED), path


def test_nobody_else_can_read_it(demo: "tuple[Path, str, float]") -> None:
    for path in (demo[0], *demo[0].rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_it_is_quick(demo: "tuple[Path, str, float]") -> None:
    assert demo[2] < 60  # twenty seconds on an idle machine
