"""`auditor redact` as a filter, and `auditor seen`."""

import json
import subprocess
import sys
from pathlib import Path

from auditor.demo.secrets import DEPLOY_TOKEN

from .conftest import auditor

KEY = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 8 + "-----END PRIVATE KEY-----\n"


def redacted(db: Path, text: str, *options: str) -> str:
    return auditor(db, "redact", *options, stdin=text).stdout


def test_it_is_a_filter_of_lines(tmp_path: Path) -> None:
    db = tmp_path / "audit.duckdb"
    clean = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"v": 1.10}\nplain text\n\nno end'
    assert redacted(db, clean) == clean
    lines = [json.dumps({"arguments": {"token": DEPLOY_TOKEN}, "n": n}) for n in range(3)]
    out = redacted(db, "\n".join(lines) + "\n")
    assert DEPLOY_TOKEN not in out and len(out.splitlines()) == 3
    assert [json.loads(line)["n"] for line in out.splitlines()] == [0, 1, 2]
    assert redacted(db, out) == out


def test_a_key_over_many_lines_is_seen_whole(tmp_path: Path) -> None:
    out = redacted(tmp_path / "audit.duckdb", f"before\n{KEY}after\n")
    assert "MIIEvQ" not in out
    assert out.startswith("before\n") and out.endswith("after\n")


def test_it_explains_on_stderr_without_the_value(tmp_path: Path) -> None:
    text = json.dumps({"arguments": {"token": DEPLOY_TOKEN}}) + "\n"
    done = auditor(tmp_path / "audit.duckdb", "redact", "--explain", stdin=text)
    assert "line 1, /arguments/token: " in done.stderr
    assert DEPLOY_TOKEN not in done.stderr + done.stdout


def test_a_value_is_found_by_its_fingerprint(tmp_path: Path) -> None:
    db, trace = tmp_path / "audit.duckdb", tmp_path / "trace.jsonl"
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "t", "arguments": {"a": DEPLOY_TOKEN}},
    }
    rows = [{"ts": 0, "ev": "start", "cmd": ["server"], "pid": 1}, {"ts": 1, "dir": "c2s", "raw": json.dumps(call)}]
    trace.write_text("".join(json.dumps(r) + "\n" for r in rows))
    auditor(db, "import", str(trace))
    found = json.loads(auditor(db, "seen", "--format", "json", stdin=DEPLOY_TOKEN + "\n").stdout)
    assert [(f["direction"], f["place"], f["tool"]) for f in found] == [("c2s", "/params/arguments/a", "t")]
    other = auditor(db, "seen", "--format", "json", stdin="something else")
    assert json.loads(other.stdout) == [] and "not seen" in other.stderr
    assert "value" in auditor(db, "seen", stdin="\n", code=2).stderr
    for path in tmp_path.rglob("*"):
        assert path == trace or not path.is_file() or DEPLOY_TOKEN.encode() not in path.read_bytes()


def test_the_value_never_comes_by_argv() -> None:
    done = subprocess.run([sys.executable, "-m", "auditor", "seen", "a-value"], capture_output=True, check=False)
    assert done.returncode == 2


def test_a_new_key_leaves_the_old_ones_to_look_up_with(tmp_path: Path) -> None:
    db = tmp_path / "rotated.duckdb"

    def trace(ts: float) -> Path:
        file = tmp_path / f"{ts}.jsonl"
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "t", "arguments": {"password": "Lantern-77-ember"}},
        }
        lines = [
            {"ts": ts, "ev": "start", "cmd": ["s"], "pid": 1},
            {"ts": ts + 1, "dir": "c2s", "raw": json.dumps(call)},
        ]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return file

    auditor(db, "import", str(trace(1.0)))
    assert "2 keys" in auditor(db, "seen", "--rotate-key").stderr
    auditor(db, "import", str(trace(100.0)))
    found = json.loads(auditor(db, "seen", "--format", "json", stdin="Lantern-77-ember").stdout)
    assert len(found) == 2
    marks = json.loads(auditor(db, "sql", "SELECT DISTINCT fingerprint FROM redactions", "--format", "json").stdout)
    assert len(marks) == 2
