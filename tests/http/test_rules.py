"""Each rule about HTTP fires on its case and is silent on its near miss."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.formats.importer import import_file
from auditor.pipeline import reading, refresh
from auditor.rules.registry import all_rules

from ..rules.conftest import by_case
from ..rules.transcript import Case, read, trace

CASES = Path(__file__).with_name("cases")


def all_cases() -> list[Case]:
    return [case for path in sorted(CASES.glob("*.txt")) for case in read(path)]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[dict[str, Any]]]]:
    folder = tmp_path_factory.mktemp("http")
    db, file = folder / "cases.duckdb", folder / "cases.jsonl"
    file.write_text("".join(line + "\n" for case in all_cases() for line in trace(case)), "utf-8")
    import_file(file, "trace", db)
    refresh(db)
    with reading(db) as con:
        yield by_case(con)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_case(case: Case, found: dict[str, list[dict[str, Any]]]) -> None:
    mine = [f for f in found.get(case.name, []) if f["rule"] == case.rule]
    assert bool(mine) == (case.kind == "fires"), sorted({f["rule"] for f in found.get(case.name, [])})
    assert all(f["message"].endswith(".") for f in mine)


def test_every_rule_has_both_cases() -> None:
    kinds: dict[str, set[str]] = {}
    for case in all_cases():
        kinds.setdefault(case.rule, set()).add(case.kind)
    assert set(kinds) == {rule.id for rule in all_rules() if rule.id.startswith("HTP-")}
    assert all(said == {"fires", "silent"} for said in kinds.values())
