"""All the rules there are."""

from functools import cache

from auditor.queries import load
from auditor.rules.model import Rule, from_sql


@cache
def all_rules() -> list[Rule]:
    """Every rule, by id.

    Raises:
        ValueError: when a rule's file cannot be read.
    """
    return sorted((from_sql(file) for file in load("rules")), key=lambda rule: rule.id)
