"""What the analysis can be told: thresholds, from the environment.

They are part of what the derived tables are made by, so that a change makes them anew.
"""

import os

import msgspec

from auditor.errors import UsageError

PREFIX = "AUDITOR_"


class Settings(msgspec.Struct, frozen=True):
    """`prompt_timeout_s`: a prompt open longer than this at the end of a record counts as timed out by inference.
    `attribution_threshold`: the share of the weight from which on the best call is named. `cancel_grace_s`: how long
    after its cancellation a call may still have asked."""

    prompt_timeout_s: float = 300.0
    attribution_threshold: float = 0.9
    cancel_grace_s: float = 2.0


_BOUNDS = {"prompt_timeout_s": (0.001, 1e9), "attribution_threshold": (0.5, 0.9999), "cancel_grace_s": (0.0, 3600.0)}


def settings() -> Settings:
    """The settings in force: `AUDITOR_PROMPT_TIMEOUT_S`, `AUDITOR_ATTRIBUTION_THRESHOLD`, `AUDITOR_CANCEL_GRACE_S`.

    Raises:
        UsageError: when one is no number, or out of its bounds.
    """
    given = {}
    for name, (least, most) in _BOUNDS.items():
        text = os.environ.get(PREFIX + name.upper())
        if text is None or not text.strip():
            continue
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise UsageError(f"{PREFIX}{name.upper()}={text} is no number from {least:g} to {most:g}")
        given[name] = value
    return Settings(**given)
