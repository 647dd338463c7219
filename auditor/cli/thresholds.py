"""`--set KEY=VALUE`: thresholds of the analysis and of rules, for this command and what it starts."""

import os
from collections.abc import Sequence

from auditor.analysis.settings import BOUNDS, number, variable
from auditor.errors import UsageError
from auditor.rules import parameters
from auditor.rules.registry import all_rules


def set_all(given: Sequence[str]) -> None:
    """Put thresholds in force.

    Raises:
        UsageError: for one that is unknown, no number, or out of its bounds.
    """
    bounds = {**BOUNDS, **{parameters.key(r, p): (0.0, parameters.MOST) for r in all_rules() for p in r.params}}
    for text in given:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not value:
            raise UsageError(f"`--set {text}` is not of the form KEY=VALUE, as prompt_timeout_s=60")
        if key not in bounds:
            raise UsageError(f"--set does not know `{key}`; it takes {', '.join(bounds)}")
        os.environ[variable(key)] = value
        number(key, *bounds[key])
