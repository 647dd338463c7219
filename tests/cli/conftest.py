"""A store with the samples in it, and the program as a user starts it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SAMPLES = sorted((ROOT / "sample_logs").glob("*.jsonl"))

Listing = Callable[..., list[dict[str, Any]]]


def auditor(db: Path, *args: str, code: int = 0, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
    """Run `auditor ARGS… --db DB`."""
    command = [sys.executable, "-m", "auditor", *args, "--db", str(db)]
    done = subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=120, check=False)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that holds all samples; for reading alone."""
    db = tmp_path_factory.mktemp("samples") / "audit.duckdb"
    auditor(db, "import", *map(str, SAMPLES))
    return db


@pytest.fixture(scope="session")
def listing(samples: Path) -> Listing:
    """Rows of a listing over the samples."""

    def rows(*args: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(auditor(samples, *args, "--format", "json").stdout)
        return found

    return rows
