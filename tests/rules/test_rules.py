"""The rules as a collection: their headers, their documentation, and how their files are read."""

from pathlib import Path

import pytest

from auditor.queries import read
from auditor.rules.checks import CHECKS
from auditor.rules.docs import page
from auditor.rules.model import from_sql
from auditor.rules.registry import all_rules

ROOT = Path(__file__).parents[2]
HEAD = """-- id: AAA-001
-- title: A title
-- severity: warning
-- confidence: high
-- party: server
-- revisions: all
-- why: Because.
-- fix: Do.
-- source: derived
-- frameworks: none

SELECT 1
"""


def test_documentation_is_up_to_date() -> None:
    stale = "docs/rules.md is stale: run `python -m auditor.rules.docs`"
    assert (ROOT / "docs" / "rules.md").read_text("utf-8") == page(ROOT), stale


def test_one_stem_everywhere() -> None:
    documented = (ROOT / "docs" / "rules.md").read_text("utf-8")
    cased = {p.stem for p in (ROOT / "tests").glob("*/cases/*.txt")}
    for rule in all_rules():
        assert rule.id in cased
        section = documented.split(f"\n## {rule.id}\n", 1)[1].split("\n## ", 1)[0]
        assert "\nFires: " in section, rule.id
        assert "\nSilent: " in section, rule.id
    assert cased == {rule.id for rule in all_rules()}


def test_every_check_is_used_and_every_used_one_exists() -> None:
    assert {rule.check for rule in all_rules() if rule.check} == set(CHECKS)


def test_texts_are_sentences() -> None:
    for rule in all_rules():
        assert rule.why.endswith("."), rule.id
        assert rule.fix.endswith("."), rule.id
        assert not rule.title.endswith("."), rule.id


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("-- why: Because.\n", ""), "lacks why"),
        (("AAA-001", "BBB-001"), "says id BBB-001"),
        (("high", "sure"), "confidence must be one of"),
        (("revisions: all", "revisions: 2025-01-01"), "no revision is called 2025-01-01"),
        (("-- source", "-- overrides: seq\n-- source"), "can be overridden"),
    ],
)
def test_a_wrong_header_is_refused(change: tuple[str, str], said: str) -> None:
    from_sql(read("AAA-001", HEAD))
    with pytest.raises(ValueError, match=said):
        from_sql(read("AAA-001", HEAD.replace(*change)))
