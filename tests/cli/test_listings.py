"""The listings on the samples: shapes, filters and formats."""

import csv
import io
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import Listing, auditor

ELICITATION = {
    "capture", "session", "seq", "rpc_id", "key", "carriage", "kind", "mode", "message", "fields", "outcome", "detail",
    "late_action", "asked_at", "answered_at", "latency_ms", "parent", "attribution", "url_status",
}  # fmt: skip
CALL = {
    "capture", "session", "seq", "rpc_id", "method", "tool", "legs", "outcome", "error_code", "started_at", "ended_at",
    "duration_ms", "human_ms", "server_ms", "prompts",
}  # fmt: skip
ORPHAN = {"kind", "capture", "session", "seq", "rpc_id", "method", "direction", "detail"}
FINDING = {"rule", "severity", "confidence", "party", "capture", "session", "seq", "subject", "message", "evidence"}
STATS = {
    "group", "n", "accept", "decline", "cancel", "timeout", "timeout_inferred", "unsupported", "client_error",
    "expired", "superseded", "cancelled_parent", "cancelled_server", "abandoned_parent", "abandoned_session",
    "pending", "rates",
    "time_to_answer_ms", "attribution",
}  # fmt: skip


@pytest.mark.parametrize(
    ("command", "keys"),
    [("elicitations", ELICITATION), ("calls", CALL), ("orphans", ORPHAN), ("findings", FINDING), ("stats", STATS)],
)
def test_shapes(command: str, keys: set[str], listing: Listing) -> None:
    rows = listing(command)
    assert rows
    for row in rows:
        assert keys <= set(row)


def test_an_elicitation_in_full(listing: Listing) -> None:
    (row,) = [e for e in listing("elicitations", "--outcome", "accept") if e["carriage"] == "input_required"]
    assert row["key"] == "deployment" and row["rpc_id"] is None
    assert row["parent"]["tool"] == "create_deployment" and row["parent"]["root_rpc_id"] == 1
    assert row["attribution"]["tier"] == "explicit" and row["attribution"]["confidence"] == 1
    assert [f["name"] for f in row["fields"]] == ["environment", "branch", "canary"]
    assert row["fields"][0] == {"name": "environment", "type": "string", "required": True, "sensitive": None}
    assert row["asked_at"].endswith("Z") and row["latency_ms"] > 0


def test_filters(listing: Listing) -> None:
    everything = listing("elicitations")
    declined = listing("elicitations", "--outcome", "decline,cancel")
    assert {e["outcome"] for e in declined} == {"decline", "cancel"}
    assert len(declined) < len(everything)
    one = everything[0]["session"]
    assert {e["session"] for e in listing("elicitations", "--session", one)} == {one}
    assert listing("elicitations", "--session", one[:-3]) == listing("elicitations", "--session", one)
    assert listing("elicitations", "--server", "deploy-*") == everything
    assert listing("elicitations", "--server", "other") == []
    assert listing("elicitations", "--client", "demo-client") == everything
    assert {e["parent"]["tool"] for e in listing("elicitations", "--tool", "connect*")} == {
        "connect_registry", "connect_registry_by_browser",
    }  # fmt: skip
    assert listing("elicitations", "--until", "2000-01-01") == []
    assert listing("elicitations", "--since", "2000-01-01") == everything
    assert listing("elicitations", "--limit", "2") == everything[-2:]
    assert listing("elicitations", "--limit", "0") == []
    assert {e["attribution"]["tier"] for e in listing("elicitations", "--tier", "explicit")} == {"explicit"}


def test_what_a_user_gives_is_never_sql(listing: Listing) -> None:
    for text in ("' OR 1=1 --", "x'; DROP TABLE calls; --", "$server", "%"):
        assert listing("calls", "--tool", text) == []
        assert listing("calls", "--server", text) == []


def test_stats_add_up(listing: Listing) -> None:
    (total,) = listing("stats")
    assert total["group"] == {} and total["n"] == len(listing("elicitations"))
    rates = [total["rates"][o]["value"] for o in ("accept", "decline", "cancel")]
    assert sum(rates) == pytest.approx(1)
    by_tool = listing("stats", "--by", "server,tool")
    assert sum(r["n"] for r in by_tool) == total["n"]
    assert {r["group"]["tool"] for r in by_tool} >= {"create_deployment", "connect_registry"}
    kinds = {r["group"]["field-kind"]: r["n"] for r in listing("stats", "--by", "field-kind")}
    assert kinds["none"] > 1 and sum(n for k, n in kinds.items() if k != "none") >= 1


def test_a_rate_of_nothing_is_null(listing: Listing) -> None:
    (nothing,) = listing("stats", "--server", "nobody")
    assert nothing["n"] == 0
    assert set(nothing["rates"].values()) == {None}
    assert nothing["time_to_answer_ms"]["median"] is None


@pytest.mark.parametrize("command", ["sessions", "calls", "elicitations", "orphans", "findings", "stats"])
def test_csv_and_table_have_as_many_rows(command: str, listing: Listing, samples: Path) -> None:
    n = len(listing(command))
    rows = list(csv.reader(io.StringIO(auditor(samples, command, "--format", "csv").stdout)))
    assert len(rows) == n + 1
    assert len({len(r) for r in rows}) == 1
    table = auditor(samples, command).stdout
    assert len(table.strip().splitlines()) == n + 1
    assert "\x1b" not in table


def test_a_session_as_tree_diagram_and_json(listing: Listing, samples: Path) -> None:
    session = listing("elicitations", "--outcome", "timeout")[0]["session"]
    tree = auditor(samples, "show", session).stdout
    assert "create_deployment" in tree and "timeout" in tree and "whose: " in tree
    diagram = auditor(samples, "show", session, "--format", "mermaid").stdout
    assert diagram.startswith("sequenceDiagram\n") and "C->>S: tools/call create_deployment" in diagram
    whole = json.loads(auditor(samples, "show", session, "--format", "json").stdout)
    assert whole["calls"][0]["prompts"][0]["outcome"] == "timeout"


def test_sql_and_its_formats(samples: Path) -> None:
    statement = "SELECT 1 AS a, 'x' AS a, [1, 2] AS c, TIMESTAMP '2026-07-28 09:30:00' AS t"
    out = json.loads(auditor(samples, "sql", statement, "--format", "json").stdout)
    assert out == [{"a": 1, "a_2": "x", "c": [1, 2], "t": "2026-07-28T09:30:00.000000Z"}]
    assert "elicitations" in auditor(samples, "sql", "SHOW TABLES").stdout


def test_queries_run_with_their_defaults_or_say_what_they_need(samples: Path) -> None:
    listed = subprocess.run([sys.executable, "-m", "auditor", "query", "list", "--format", "json"], capture_output=True)
    found = json.loads(listed.stdout)
    assert len(found) >= 8
    for query in found:
        needed = [p["name"] for p in query["parameters"] if p["default"] is None]
        done = auditor(samples, "query", "run", query["name"], "--format", "json", code=2 if needed else 0)
        assert needed[0] in done.stderr if needed else isinstance(json.loads(done.stdout), list)
    auditor(samples, "query", "run", found[0]["name"], "--param", "nonsense=1", code=2)
    auditor(samples, "query", "run", "no-such-query", code=3)


def test_a_rule_is_explained() -> None:
    command = [sys.executable, "-m", "auditor", "rules"]
    text = subprocess.run([*command, "eli-017"], capture_output=True, text=True, check=True).stdout
    assert text.startswith("ELI-017") and "Why:" in text and "Fix:" in text
    assert subprocess.run([*command, "XXX-999"], capture_output=True, check=False).returncode == 3


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of a server that gives itself no name, under a name that the user gave it."""
    folder = tmp_path_factory.mktemp("named")
    asks = '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"a"}}'
    call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}\n'
    server = [sys.executable, "-c", f"input(); print({asks!r}, flush=True); input()"]
    command = [sys.executable, "-m", "auditor", "record", "--db", str(folder / "db"), "--name", "mine", "--", *server]
    subprocess.run(command, input=2 * call, text=True, stdout=subprocess.DEVNULL, check=True, timeout=60)
    deadline = time.monotonic() + 30
    while not any('"k":"seal"' in p.read_text("utf-8") for p in folder.glob("db.journals/*.ndjson")):
        assert time.monotonic() < deadline, "the recorder has not sealed"
        time.sleep(0.05)
    return folder / "db"


@pytest.mark.parametrize("command", ["sessions", "calls", "elicitations", "orphans", "findings", "stats"])
def test_a_server_is_found_by_the_name_that_the_recorder_was_given(command: str, named: Path) -> None:
    found = auditor(named, command, "--server", "mi*", "--format", "json").stdout
    assert found == auditor(named, command, "--format", "json").stdout
    assert found != auditor(named, command, "--server", "theirs", "--format", "json").stdout


@pytest.mark.parametrize(
    "wrong",
    [
        ("sessions", "--outcome", "declined"),
        ("calls", "--outcome", "accept"),
        ("elicitations", "--outcome", "accept,declined"),
        ("orphans", "--kind", "left"),
        ("findings", "--rule", "ELI-999"),
    ],
)
def test_a_word_that_can_find_nothing_is_no_empty_answer(wrong: tuple[str, ...], samples: Path) -> None:
    assert "it takes" in (said := auditor(samples, *wrong, code=2).stderr) or "no rule" in said


def test_rules_are_found_whatever_their_case(listing: Listing) -> None:
    assert listing("findings", "--rule", "eli-017") == listing("findings", "--rule", "ELI-017") != []
