"""Each rule fires on its case and is silent on its near miss; file, cases and documentation have one stem."""

from typing import Any

import msgspec
import pytest

from auditor.formats.importer import import_file
from auditor.pipeline import reading, refresh
from auditor.rules.model import Confidence, Party, Severity
from auditor.rules.registry import all_rules

from .conftest import CASES, all_cases, by_case
from .transcript import Case, trace

Found = dict[str, list[dict[str, Any]]]


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_case(case: Case, found: Found) -> None:
    mine = [f for f in found.get(case.name, []) if f["rule"] == case.rule]
    if case.kind == "silent":
        assert mine == []
    else:
        assert mine, f"{case.rule} did not fire; others did: {sorted({f['rule'] for f in found.get(case.name, [])})}"
        for key, value in case.expected.items():
            assert {f[key] for f in mine} == {value}


def test_every_rule_has_both_cases_and_every_case_a_rule() -> None:
    kinds: dict[str, list[str]] = {}
    for case in all_cases():
        kinds.setdefault(case.rule, []).append(case.kind)
    assert set(kinds) == {path.stem for path in CASES.iterdir()}
    # rules of the HTTP tap have their cases beside it
    assert {rule.id for rule in all_rules() if not rule.id.startswith("HTP-")} == set(kinds)
    assert all(sorted(said) == ["fires", "silent"] for said in kinds.values())


def test_findings_are_well_formed(found: Found) -> None:
    allowed = {"severity": Severity, "confidence": Confidence, "party": Party}
    for finding in (f for of_case in found.values() for f in of_case):
        for key, kind in allowed.items():
            msgspec.convert(finding[key], kind)
        assert isinstance(msgspec.json.decode(finding["evidence"]), dict)
        assert finding["message"].endswith((".", "…")), finding
        assert len(finding["evidence"]) < 8000


def test_no_finding_is_told_twice(found: Found) -> None:
    for of_case in found.values():
        told = [(f["rule"], f["session"], f["seq"], f["subject"], f["message"], f["evidence"]) for f in of_case]
        assert len(told) == len(set(told))


def test_personal_numbers_are_forbidden_in_the_first_revision_only(tmp_path_factory: pytest.TempPathFactory) -> None:
    """2025-06-18 forbids to ask for anything sensitive, later revisions for credentials and payment data."""
    fields = '{"ssn":{"type":"string","title":"Social security number"},"n":{"type":"string","title":"Card number"}}'
    ask = [
        '> 1 tools/call {"name":"t","arguments":{}}',
        f'< 1 elicitation/create {{"message":"Who?","requestedSchema":{{"type":"object","properties":{fields}}}}}',
    ]
    folder = tmp_path_factory.mktemp("personal")
    cases = [
        Case("ELI-017", revision, "", [f'session {revision} client={{"elicitation":{{}}}}', *ask])
        for revision in ("2025-06-18", "2025-11-25")
    ]
    (folder / "t.jsonl").write_text("\n".join(line for case in cases for line in trace(case)) + "\n", "utf-8")
    import_file(folder / "t.jsonl", "trace", folder / "t.duckdb")
    refresh(folder / "t.duckdb")
    with reading(folder / "t.duckdb") as con:
        told = {
            name: sorted(f["subject"] for f in found if f["rule"] == "ELI-017") for name, found in by_case(con).items()
        }
    assert told == {"ELI-017-2025-06-18": ["n", "ssn"], "ELI-017-2025-11-25": ["n"]}
