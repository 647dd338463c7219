"""What the analysis can be told: thresholds, from the environment.

They are part of what the derived tables are made by, so that a change makes them anew. A key is written
`prompt_timeout_s` for the analysis and `PRM-001.floor_ms` for a parameter of a rule; its variable is `AUDITOR_` and the
key in capitals with underscores.
"""

import os
import re

import msgspec

from auditor.errors import UsageError

PREFIX = "AUDITOR_"
_RULE = re.compile(rf"^{PREFIX}[A-Z]{{3}}_\d{{3}}_\w+$")


class Settings(msgspec.Struct, frozen=True):
    """`prompt_timeout_s`: a prompt open longer than this at the end of a record counts as timed out by inference.
    `attribution_threshold`: the share of the weight from which on the best call is named. `cancel_grace_s`: how long
    after its cancellation a call may still have asked."""

    prompt_timeout_s: float = 300.0
    attribution_threshold: float = 0.9
    cancel_grace_s: float = 2.0


BOUNDS = {"prompt_timeout_s": (0.001, 1e9), "attribution_threshold": (0.5, 0.9999), "cancel_grace_s": (0.0, 3600.0)}


def variable(key: str) -> str:
    """The environment variable of a key."""
    return PREFIX + key.upper().replace("-", "_").replace(".", "_")


def number(key: str, least: float, most: float) -> float | None:
    """What the environment says of a key; None when it says nothing.

    Raises:
        UsageError: when that is no number, or out of its bounds.
    """
    text = os.environ.get(variable(key), "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise UsageError(f"{variable(key)}={text} is no number from {least:g} to {most:g}")
    return value


def settings() -> Settings:
    """The settings in force.

    Raises:
        UsageError: when one is no number, or out of its bounds.
    """
    given = {key: number(key, *bounds) for key, bounds in BOUNDS.items()}
    return Settings(**{key: value for key, value in given.items() if value is not None})


def in_force() -> str:
    """All that was set, for the analysis and for rules, as a text that changes when it does."""
    rules = sorted(f"{key}={value.strip()}" for key, value in os.environ.items() if _RULE.match(key) and value.strip())
    return f"{settings()} {rules}"
