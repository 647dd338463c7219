"""The parameters of rules: their defaults, and what the environment says instead."""

from typing import Final

import msgspec

from auditor.analysis.settings import number
from auditor.queries import Param
from auditor.rules.model import Rule

MOST: Final = 1e12


def key(rule: Rule, param: Param) -> str:
    """How a user names a parameter of a rule."""
    return f"{rule.id}.{param.name}"


def values(rule: Rule) -> dict[str, int | float | None]:
    """Each parameter of a rule with the value it has.

    Raises:
        UsageError: when the environment gives one that is no number from 0 on.
    """
    return {p.name: _value(rule, p) for p in rule.params}


def _value(rule: Rule, param: Param) -> int | float | None:
    given = number(key(rule, param), 0, MOST)
    if given is None:
        default: int | float | None = msgspec.json.decode(param.default or "null")
        return default
    return round(given) if param.type == "INTEGER" else given
