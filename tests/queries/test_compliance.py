"""The compliance queries on recordings whose answers are known by heart."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from auditor import queries
from auditor.formats.importer import import_file
from auditor.pipeline import reading, refresh
from tests.rules.transcript import Case, trace

FIELDS = '{"env":{"type":"string"},"note":{"type":"string"}}'
FORM = f'{{"message":"To production?","requestedSchema":{{"type":"object","properties":{FIELDS}}}}}'
SECRET = '{"api_key":{"type":"string","title":"API key"}}'
KEY = f'{{"message":"Your API key?","requestedSchema":{{"type":"object","properties":{SECRET}}}}}'

STORY = f"""
session 2025-11-25 client={{"elicitation":{{}}}} name=deployer
> 1 tools/call {{"name":"deploy","arguments":{{}}}}
< 1 elicitation/create {FORM}
+4s
> 1 = {{"action":"accept","content":{{"env":"staging"}}}}
< 1 = {{"content":[{{"type":"text","text":"done"}}]}}
> 2 tools/call {{"name":"deploy","arguments":{{}}}}
< 2 elicitation/create {FORM}
+50ms
> 2 = {{"action":"decline"}}
< 2 = {{"content":[{{"type":"text","text":"done all the same"}}]}}
> 3 tools/call {{"name":"connect","arguments":{{}}}}
< 3 elicitation/create {KEY}
+9s
> 3 = {{"action":"accept","content":{{"api_key":"Zx81kQp27Lm40Vt93Bn65RaY"}}}}
< 3 = {{"content":[]}}
> 4 tools/call {{"name":"deploy","arguments":{{}}}}
< 4 elicitation/create {FORM}
+7s
start
session 2025-06-18 client={{}} name=other
> 1 tools/call {{"name":"ask","arguments":{{}}}}
< 1 elicitation/create {FORM}
> 1 ! -32601 "Method not found"
< 1 = {{"isError":true,"content":[]}}
"""


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("story")
    file = folder / "story.jsonl"
    lines = trace(Case("story", "fires", "", [line for line in STORY.splitlines() if line.strip()]))
    file.write_text("\n".join(lines) + "\n", "utf-8")
    import_file(file, "trace", folder / "s.duckdb")
    refresh(folder / "s.duckdb")
    with reading(folder / "s.duckdb") as opened:
        yield opened


def run(con: duckdb.DuckDBPyConnection, name: str, **given: Any) -> list[dict[str, Any]]:
    query = next(q for q in queries.load("compliance") if q.stem == name)
    values = {}
    for p in query.params:
        default = con.execute(f"SELECT CAST({p.default or 'NULL'} AS {p.type})").fetchone()
        values[p.name] = given.get(p.name, default[0] if default else None)
    cursor = con.execute(query.sql, values)
    names = [c[0] for c in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def test_every_query_says_what_it_answers() -> None:
    found = queries.load("compliance")
    assert len(found) >= 8
    for query in found:
        assert query.header["id"] == query.stem
        assert query.header["question"].endswith("?")
        assert query.header["frameworks"]
        assert query.header["title"]


@pytest.mark.parametrize("name", [q.stem for q in queries.load("compliance")])
def test_runs_on_an_empty_database(name: str, tmp_path: Path) -> None:
    from auditor.store.database import connect

    assert run(connect(tmp_path / "e.duckdb"), name) == []


def test_register(con: duckdb.DuckDBPyConnection) -> None:
    found = run(con, "consent-register")
    assert [(r["decision"], r["tool"], r["fields_given"] or []) for r in found] == [
        ("accept", "deploy", ["env"]), ("decline", "deploy", []), ("accept", "connect", ["api_key"]),
    ]  # fmt: skip
    assert {r["tier"] for r in found} == {"deduced"}
    assert [r["tool"] for r in run(con, "consent-register", tool="conn%")] == ["connect"]
    assert run(con, "consent-register", server="nobody") == []


def test_rates(con: duckdb.DuckDBPyConnection) -> None:
    deploy = next(r for r in run(con, "consent-rates-by-tool") if r["tool"] == "deploy")
    assert (deploy["asked"], deploy["answered"], deploy["accepted"], deploy["accept_rate"]) == (3, 2, 1, 0.5)
    assert (round(deploy["accept_low"], 3), round(deploy["accept_high"], 3)) == (0.095, 0.905)
    assert run(con, "consent-rates-by-tool", least=3) == []


def test_credential_forms(con: duckdb.DuckDBPyConnection) -> None:
    assert [(r["tool"], r["field"], r["given"]) for r in run(con, "credential-forms")] == [("connect", "api_key", True)]


def test_without_capability(con: duckdb.DuckDBPyConnection) -> None:
    assert [(r["server"], r["outcome"]) for r in run(con, "prompts-without-capability")] == [("other", "unsupported")]


def test_unanswered(con: duckdb.DuckDBPyConnection) -> None:
    found = run(con, "unanswered-prompts")
    assert [(r["server"], r["outcome"]) for r in found] == [("deployer", "abandoned_session"), ("other", "unsupported")]
    assert found[0]["open_ms"] >= 7000


def test_declines(con: duckdb.DuckDBPyConnection) -> None:
    found = run(con, "declined-then-succeeded")
    assert [(r["tool"], r["accepted_afterwards"]) for r in found] == [("deploy", 0)]
    assert "done all the same" in found[0]["result"]


def test_secrets(con: duckdb.DuckDBPyConnection) -> None:
    found = run(con, "secrets-by-kind-and-place")
    assert [(r["stood_in"], r["direction"], r["times"], r["servers"]) for r in found] == [
        ("answer to a prompt", "c2s", 1, ["deployer"])
    ]


def test_evidence(con: duckdb.DuckDBPyConnection) -> None:
    session, seq = con.execute("SELECT session_id, seq FROM calls WHERE tool = 'connect'").fetchone() or ("", 0)
    found = run(con, "call-evidence", session=session, seq=seq)
    parts = [r["part"] for r in found if not r["part"].startswith("finding")]
    assert parts == ["request", "prompt", "answer to the prompt", "answer"]
    assert all(r["hash"] for r in found)
    assert "finding ELI-017" in [r["part"] for r in found]
    assert "Zx81kQp27Lm40Vt93Bn65RaY" not in str(found)


def test_completeness(con: duckdb.DuckDBPyConnection) -> None:
    assert [r["state"] for r in run(con, "record-completeness")] == ["whole", "whole"]


def test_data_asked_for(con: duckdb.DuckDBPyConnection) -> None:
    found = {(r["tool"], r["field"]): r for r in run(con, "data-asked-for")}
    assert found["deploy", "env"]["used_by_successful_calls"] == 1
    assert (found["deploy", "note"]["asked"], found["deploy", "note"]["filled_in"]) == (3, 0)


def test_automatic_answers(con: duckdb.DuckDBPyConnection) -> None:
    (client,) = run(con, "automatic-answers")
    assert (client["client"], client["answered"], client["too_fast"]) == ("tester", 3, 1)
