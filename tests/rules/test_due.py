"""A rule is left out only where it has nothing to say, however few captures are judged at once."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import msgspec
import pytest

from auditor.analysis.build import analyze
from auditor.analysis.scope import current
from auditor.queries import load
from auditor.rules import due, run
from auditor.rules.model import Rule
from auditor.rules.registry import all_rules
from auditor.store import database

SIGNED = [rule for rule in all_rules() if rule.when]


@pytest.fixture(scope="module")
def judged(cases_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """All cases analyzed anew, with the tables that signs are looked for in."""
    copy = tmp_path_factory.mktemp("due") / "cases.duckdb"
    shutil.copy(cases_db, copy)
    with database.connect(copy) as con:
        captures = [row[0] for row in con.execute("SELECT capture_id FROM captures").fetchall()]
        con.execute("BEGIN")
        analyze(con, captures)
        run.prepare(con, current(con), load("facts"))
        yield con


@pytest.mark.parametrize("rule", SIGNED, ids=lambda rule: rule.id)
def test_every_capture_with_a_finding_bears_a_sign(rule: Rule, judged: duckdb.DuckDBPyConnection) -> None:
    findings = current(judged).table("findings")
    bearing = " UNION ALL ".join(f"SELECT capture_id FROM {table} WHERE {sign}" for table, sign in rule.when)  # noqa: S608
    found = judged.execute(f"SELECT DISTINCT capture_id FROM {findings} WHERE rule = '{rule.id}'").fetchall()  # noqa: S608
    assert found or rule.id.startswith("HTP-")
    assert set(found) <= set(judged.execute(bearing).fetchall())


def test_what_occurs_is_told(judged: duckdb.DuckDBPyConnection) -> None:
    seen = due.occurring(judged)
    assert {"#prompts", "#asks", "#orphans", "#redactions", "#tasks", "tools/list"} <= seen
    assert not due.needed(("no/such",), seen)


def test_a_rule_without_its_sign_is_left_out(judged: duckdb.DuckDBPyConnection) -> None:
    judged.execute("CREATE OR REPLACE TEMP TABLE sign_test AS SELECT 1 AS n")
    one = all_rules()[0]
    here, away = (_signed(one, f"n = {n}") for n in (1, 2))
    assert due.signed(judged, [here, away]) == [here]


def _signed(rule: Rule, sign: str) -> Rule:
    return msgspec.structs.replace(rule, when=(("sign_test", sign),))
