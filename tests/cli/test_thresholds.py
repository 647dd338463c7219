"""Thresholds: what they change in the listings, how they are given, and what is said of a bad one."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

T0 = 1_790_000_000.0


def message(at: float, direction: str, **body: Any) -> str:
    return json.dumps({"ts": T0 + at, "dir": direction, "raw": json.dumps({"jsonrpc": "2.0", **body})})


def answered(at: float, rpc_id: int, **result: Any) -> str:
    return message(at, "c2s", id=rpc_id, result=result)


def asked(at: float, rpc_id: int) -> str:
    schema = {"type": "object", "properties": {"branch": {"type": "string"}}}
    return message(
        at, "s2c", id=rpc_id, method="elicitation/create", params={"message": "Which?", "requestedSchema": schema}
    )


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prompt answered after 0.6 s, and one that stays open while other traffic goes on for 100 s."""
    folder = tmp_path_factory.mktemp("thresholds")
    lines = [
        message(0, "c2s", id=1, method="tools/call", params={"name": "deploy", "arguments": {}}),
        asked(1, 7),
        answered(1.6, 7, action="accept", content={"branch": "main"}),
        asked(2, 8),
        message(50, "c2s", id=2, method="ping"),
        message(50.1, "s2c", id=2, result={}),
        message(102, "c2s", id=3, method="ping"),
        message(102.1, "s2c", id=3, result={}),
    ]
    trace = folder / "open.jsonl"
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = folder / "a.duckdb"
    assert run("import", str(trace), "--db", str(path)).returncode == 0
    return path


def run(*args: str, **env: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "auditor", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **env})


def rows(*args: str, **env: str) -> list[dict[str, Any]]:
    done = run(*args, "--format", "json", **env)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_a_prompt_counts_as_timed_out_after_the_time_that_is_set(db: Path) -> None:
    def last(*given: str, **env: str) -> str:
        return str(rows(*given, "elicitations", "--db", str(db), **env)[-1]["outcome"])

    assert last() == "pending"
    assert last("--set", "prompt_timeout_s=60") == "timeout_inferred"
    assert last(AUDITOR_PROMPT_TIMEOUT_S="60") == "timeout_inferred"
    assert last() == "pending"


def test_a_parameter_of_a_rule_can_be_set(db: Path) -> None:
    def found(*given: str) -> list[str]:
        return [f["rule"] for f in rows(*given, "findings", "--rule", "PRM-001", "--db", str(db))]

    assert found() == []
    assert found("--set", "PRM-001.floor_ms=1000") == ["PRM-001"]
    assert found() == []


def test_the_rule_says_what_can_be_set() -> None:
    (rule,) = rows("--set", "PRM-001.floor_ms=1000", "rules", "PRM-001")
    assert (rule["parameters"][0]["key"], rule["parameters"][0]["value"]) == ("PRM-001.floor_ms", 1000)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("prompt_timeout_s", "KEY=VALUE"),
        ("prompt_timeout_s=", "KEY=VALUE"),
        ("prompt_timeout_s=soon", "is no number from 0.001 to"),
        ("prompt_timeout_s=nan", "is no number"),
        ("attribution_threshold=0.2", "is no number from 0.5 to"),
        ("PRM-001.floor_ms=-1", "is no number from 0 to"),
        ("PRM-001.roof=1", "does not know `PRM-001.roof`"),
        ("path=/", "does not know `path`"),
    ],
)
def test_a_bad_threshold_gets_one_sentence(given: str, said: str) -> None:
    done = run("--set", given, "rules")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_bad_variable_gets_one_sentence(db: Path) -> None:
    for variable in ("AUDITOR_PRM_001_FLOOR_MS", "AUDITOR_PROMPT_TIMEOUT_S"):
        done = run("elicitations", "--db", str(db), **{variable: "soon"})
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"auditor: {variable}=soon is no number from ")
        assert done.stderr.count("\n") == 1
    assert rows("elicitations", "--db", str(db))
