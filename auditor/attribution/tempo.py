"""How long a server takes from a cause to its step.

Rules. A density over time, not over its logarithm: that something follows by chance within a millisecond is a thousand
times rarer than within a second. At first every tool is taken for one of those that answer within milliseconds, mostly,
and may take any time up to a quarter of an hour; what the steps of a tool then look like sharpens that.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

_QUICK = 0.5  # share of steps that follow at once,
_MEDIAN_MS = 4.0  # so long after their cause (the median),
_SPREAD = 1.2  # give or take; the others come at any time, all magnitudes alike:
_LEAST_MS, _MOST_MS = 0.1, 1e6
_MAGNITUDES = math.log(_MOST_MS / _LEAST_MS)
_ROOT = math.sqrt(2 * math.pi)
_ENOUGH = 5  # steps of a kind from which on they say how long it takes
_OWN = 0.75  # what is then believed of them
_NARROWEST = 0.25


class Step(NamedTuple):
    """A step of a call: `asked` prompts came before it; it `ends` the call, or asks the next one."""

    tool: str
    asked: int
    ends: bool
    gap_us: int


Kind = tuple[str, int]
"""A tool, and which of its steps: how many prompts came before, or its end, after prompts or without any."""
_END, _AT_ONCE = -1, -2


class Tempo:
    """What is known of the steps of each tool: how long they take, and after how many prompts it ends."""

    def __init__(self) -> None:
        self._took: dict[Kind, tuple[float, float]] = {}  # the median's logarithm, and the spread
        self._went: dict[Kind, tuple[int, int]] = {}  # how often it asked on, and ended, after so many prompts

    def learn(self, steps: Iterable[Step]) -> None:
        """Take these steps for all that is known."""
        seen: dict[Kind, list[float]] = {}
        self._went = {}
        for s in steps:
            kind = s.tool, (_END if s.asked else _AT_ONCE) if s.ends else s.asked
            seen.setdefault(kind, []).append(math.log(max(s.gap_us / 1000, _LEAST_MS)))
            on, ended = self._went.get((s.tool, s.asked), (0, 0))
            self._went[s.tool, s.asked] = on + (not s.ends), ended + s.ends
        self._took = {kind: _shape(sorted(logs)) for kind, logs in seen.items() if len(logs) >= _ENOUGH}

    def ask(self, tool: str, asked: int, gap_us: int) -> float:
        """How likely a tool goes on with a prompt, so long after its cause."""
        on, ended = self._went.get((tool, asked), (0, 0))
        return math.log((on + 1) / (on + ended + 2)) + self._density((tool, asked), gap_us)

    def end(self, tool: str, asked: int, gap_us: int) -> float:
        """How likely it ends so long after its cause."""
        on, ended = self._went.get((tool, asked), (0, 0))
        return math.log((ended + 1) / (on + ended + 2)) + self._density((tool, _END if asked else _AT_ONCE), gap_us)

    def _density(self, kind: Kind, gap_us: int) -> float:
        """Logarithm of the density, a millisecond, of a step that long after its cause."""
        ms = max(gap_us / 1000, _LEAST_MS)
        at = math.log(ms)
        density = _general(at)
        if (own := self._took.get(kind)) is not None:
            density = (1 - _OWN) * density + _OWN * _bell((at - own[0]) / own[1]) / own[1]
        return math.log(density) - at

    def still(self, tool: str, asked: int, gap_us: int) -> float:
        """Logarithm of the chance that nothing has come of a cause for so long."""
        kind = tool, _END if asked else _AT_ONCE
        at = math.log(max(gap_us / 1000, _LEAST_MS))
        left = max(0.0, 1.0 - max(0.0, at - math.log(_LEAST_MS)) / _MAGNITUDES)
        chance = (1 - _QUICK) * left + _QUICK * _above((at - math.log(_MEDIAN_MS)) / _SPREAD)
        if (own := self._took.get(kind)) is not None:
            chance = (1 - _OWN) * chance + _OWN * _above((at - own[0]) / own[1])
        return math.log(max(chance, 1e-4))


def any_time(gap_us: int) -> float:
    """Logarithm of the density of a step that may come at any time."""
    return -math.log(_MAGNITUDES) - math.log(max(gap_us / 1000, _LEAST_MS))


def _general(at: float) -> float:
    return (1 - _QUICK) / _MAGNITUDES + _QUICK * _bell((at - math.log(_MEDIAN_MS)) / _SPREAD) / _SPREAD


def _bell(z: float) -> float:
    return math.exp(-0.5 * z * z) / _ROOT


def _above(z: float) -> float:
    return 0.5 * math.erfc(z / math.sqrt(2))


def _shape(logs: list[float]) -> tuple[float, float]:
    """Median and spread; the outer tenths do not count, for they may be steps of others."""
    n = len(logs)
    middle = logs[n // 2] if n % 2 else (logs[n // 2 - 1] + logs[n // 2]) / 2
    low, high = logs[n // 5], logs[n - 1 - n // 5]
    return middle, max((high - low) / 1.7, _NARROWEST) * (1 + 2 / n)
