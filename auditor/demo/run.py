"""Plays the demo: the client's process with its servers behind the recorder, and the search for planted secrets."""

import shutil
import subprocess
import sys
from pathlib import Path

from auditor.demo.secrets import PLANTED
from auditor.errors import AuditorError
from auditor.files import journals_dir, private_dir

TIME_LIMIT_S = 120


def play(folder: Path) -> Path:
    """Play all stories into a fresh record in that folder; gives the database.

    Raises:
        AuditorError: when a story fails.
    """
    db = private_dir(folder) / "demo.duckdb"
    for old in (db, db.with_name(f"{db.name}.wal"), folder / "report.html"):
        old.unlink(missing_ok=True)
    shutil.rmtree(journals_dir(db), ignore_errors=True)
    command = [sys.executable, "-P", "-m", "auditor.demo.client", str(db.absolute())]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_LIMIT_S, check=False)
    except subprocess.TimeoutExpired as e:
        raise AuditorError(f"the demo's client did not end within {TIME_LIMIT_S} s") from e
    if done.returncode != 0:
        raise AuditorError(f"the demo's client failed: {_last_line(done.stderr)}")
    return db


def leaks(folder: Path) -> list[Path]:
    """The files under the folder that hold a planted secret, as it is or with JSON's escapes: there must be none."""
    needles = [secret.encode() for secret in PLANTED]
    return [p for p in sorted(folder.rglob("*")) if p.is_file() and any(n in p.read_bytes() for n in needles)]


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
