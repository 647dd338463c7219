"""What a user gets wrong, or finds broken: one clear sentence, the right exit code, nothing lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from .conftest import ROOT, Auditor

SAMPLE = ROOT / "sample_logs" / "answers.jsonl"


def one_sentence(done: "subprocess.CompletedProcess[str]") -> str:
    """The single line on stderr."""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("auditor: ")
    assert "Traceback" not in lines[0]
    return lines[0]


@pytest.mark.parametrize("text", ["", "no trace at all\n", '{"some": "json"}\n', "[1, 2, 3]\n", "\x00\x01\x02"])
def test_a_file_that_is_no_trace(text: str, tmp_path: Path, auditor: Auditor) -> None:
    file = tmp_path / "file.jsonl"
    file.write_text(text)
    assert "file.jsonl" in one_sentence(auditor("import", "--format", "trace", str(file), code=3))


def test_a_file_that_is_not_there(auditor: Auditor) -> None:
    assert "nowhere.jsonl" in one_sentence(auditor("import", "nowhere.jsonl", code=3))


def test_a_format_that_is_unknown(auditor: Auditor) -> None:
    assert "morse" in one_sentence(auditor("import", "--format", "morse", str(SAMPLE), code=2))


def test_a_good_file_beside_a_bad_one_comes_in(tmp_path: Path, auditor: Auditor) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no trace\n")
    auditor("import", "--format", "trace", str(bad), str(SAMPLE), code=3)
    assert len(json.loads(auditor("elicitations", "--format", "json").stdout)) == 3


def test_importing_twice_changes_nothing(auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    once = auditor("elicitations", "--format", "json").stdout
    auditor("import", str(SAMPLE))
    assert auditor("elicitations", "--format", "json").stdout == once


def test_a_truncated_journal(db: Path, auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    whole = json.loads(auditor("sql", "SELECT count(*) AS n FROM messages", "--format", "json").stdout)[0]["n"]
    for old in db.parent.glob("audit.duckdb*"):
        if old.is_file() and not old.name.endswith(".key"):
            old.unlink()
    (journal,) = db.with_name(f"{db.name}.journals").glob("*.ndjson")
    data = journal.read_bytes()
    journal.write_bytes(data[: len(data) * 2 // 3])
    done = auditor("sql", "SELECT count(*) AS n FROM messages", "--format", "json")
    assert 0 < json.loads(done.stdout)[0]["n"] < whole
    assert journal.name in done.stderr or "no seal" in done.stderr


def test_a_database_of_another_program(db: Path, auditor: Auditor) -> None:
    db.parent.mkdir()
    with duckdb.connect(str(db)) as con:
        con.execute("CREATE TABLE theirs AS SELECT 42 AS answer")
    one_sentence(auditor("sessions", code=4))
    with duckdb.connect(str(db), read_only=True) as con:
        assert con.execute("SELECT * FROM theirs").fetchone() == (42,)


def test_a_file_that_is_no_database(db: Path, auditor: Auditor) -> None:
    db.parent.mkdir()
    db.write_bytes(b"this is no database\n" * 400)
    one_sentence(auditor("sessions", code=4))
    assert db.read_bytes() == b"this is no database\n" * 400


def test_a_database_locked_by_another_process(db: Path, auditor: Auditor, monkeypatch: pytest.MonkeyPatch) -> None:
    auditor("import", str(SAMPLE))
    hold = f"import duckdb, sys; con = duckdb.connect({str(db)!r}); print('held', flush=True); sys.stdin.read()"
    monkeypatch.setenv("AUDITOR_LOCK_TIMEOUT", "0.5")
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        one_sentence(auditor("sessions", code=4))
        holder.stdin.close()
    assert len(json.loads(auditor("sessions", "--format", "json").stdout)) == 1


def test_nothing_recorded_yet(auditor: Auditor) -> None:
    one_sentence(auditor("sessions", code=4))


def test_an_unknown_session(auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    assert "nobody" in one_sentence(auditor("show", "nobody", code=3))
    assert "nobody" in one_sentence(auditor("calls", "--session", "nobody", code=3))


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", ">&- 2>&- <&-"])
@pytest.mark.parametrize("command", ["sessions", "redact", "rules"])
def test_closed_standard_streams_are_no_fault(closed: str, command: str, db: Path, auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    line = f'"$0" -m auditor {command} {"" if command == "rules" else f"--db {db}"} {closed}'
    stdin = None if "<" in closed else subprocess.DEVNULL
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable], stdin=stdin, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_full_disk_below_the_output_is_one_sentence(form: str, db: Path, auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    command = [sys.executable, "-m", "auditor", "calls", "--db", str(db), "--format", form]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert one_sentence(done) == "auditor: the output: No space left on device"


def test_an_empty_text_names_no_session(auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    one_sentence(auditor("show", "", code=3))


def test_a_command_of_ours_that_does_not_exist(auditor: Auditor) -> None:
    assert "frobnicate" in one_sentence(auditor("frobnicate", code=2))


def test_wrong_options(auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    assert "--frob" in one_sentence(auditor("calls", "--frob", code=2))
    assert "--limit" in one_sentence(auditor("calls", "--limit", "many", code=2))
    assert "colour" in one_sentence(auditor("stats", "--by", "colour", code=2))
    assert "someday" in one_sentence(auditor("calls", "--since", "someday", code=2))
    assert "--limit" in one_sentence(auditor("calls", "--limit", "9" * 20, code=2))
    assert "99999999999d" in one_sentence(auditor("calls", "--since", "99999999999d", code=2))
    assert "0001" in one_sentence(auditor("calls", "--since", "0001-01-01T00:00+23:00", code=2))
    assert "guessed" in one_sentence(auditor("elicitations", "--tier", "guessed", code=2))


def test_a_command_to_record_that_does_not_exist(db: Path) -> None:
    command = [sys.executable, "-m", "auditor", "record", "--db", str(db), "--", "no-such-program-anywhere"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 127
    assert "no-such-program-anywhere" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("DELETE FROM messages", 2),
        ("SELECT 1; SELECT 2", 2),
        ("COPY messages TO 'out.csv'", 2),
        ("ATTACH 'other.duckdb'", 2),
        ("SELECT * FROM read_text('README.md')", 3),
        ("SELECT * FROM nowhere", 3),
        ("SELEC 1", 3),
        ("", 2),
    ],
)
def test_sql_only_reads(statement: str, code: int, auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    one_sentence(auditor("sql", statement, code=code))


def test_a_fault_of_the_program_is_one_sentence(db: Path) -> None:
    code = (
        "import sys\nfrom auditor.cli.diagnostics import guarded\n"
        "def work(): raise KeyError('broken\\x1b[31m')\nsys.exit(guarded(work))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "AUDITOR_DEBUG=1" in one_sentence(done)
    assert "\x1b" not in done.stderr
    debug = os.environ | {"AUDITOR_DEBUG": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=debug, check=False)
    assert "Traceback" in done.stderr


def test_a_reader_that_goes_away(db: Path, auditor: Auditor) -> None:
    auditor("import", str(SAMPLE))
    command = [sys.executable, "-m", "auditor", "sql", "FROM range(200000)", "--format", "csv", "--db", str(db)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
