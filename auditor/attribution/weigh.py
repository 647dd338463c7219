"""What each sign is worth, as a natural logarithm of a likelihood ratio.

The figures come from recorded sessions and from the simulator (`benchmarks/attribution.py`), which also measures how
well the confidences that follow from them are calibrated.
"""

import math
from collections.abc import Iterable

from auditor.attribution.model import Call, Learned, Prompt

# A server's step follows its cause within milliseconds (the median here), mostly; sometimes it is held up, or works.
_MEDIAN_US = 4_000.0
_SPREAD = 1.2
_HELD_UP = 0.12  # share of steps that come at any time between 0.1 ms and 100 s
_RANGE = math.log(1e6)
LONG_AGO = math.log(_HELD_UP / _RANGE)  # a step whose cause lies so far back that it does not matter how far
FADED_US = 2_000_000  # so far

PARALLEL = math.log(0.02)  # a tool that asks again before its earlier prompt is answered
OPEN_AT_END = math.log(2e-4)  # a call that ends while its own prompt is open
AFTER_CANCEL = math.log(0.02)  # a call that asks after it was cancelled
NOBODY = math.log(0.004)  # a prompt that belongs to no call
CASCADE = math.log(30.0)  # a prompt that is cancelled right after its call was
CASCADE_US = 1_000_000
TRACE = math.log(1000.0)  # the same trace context
_WORD = 2.2  # a rare word that prompt and call share, times its rarity
_ECHO = 1.8  # a rare word of the answer in the call's result, times its rarity
_MOST_TEXT = 7.0


def step(gap_us: int) -> float:
    """How likely a step of a server is that long after its cause."""
    gap = math.log(max(gap_us, 100) / _MEDIAN_US)
    quick = math.exp(-0.5 * (gap / _SPREAD) ** 2) / (_SPREAD * 2.5066)
    return math.log((1 - _HELD_UP) * quick + _HELD_UP / _RANGE)


def texts(prompt: Prompt, able: Iterable[Call], learned: Learned) -> dict[int, float]:
    """For each call that was open: what the texts and what was learned say for it."""
    calls = list(able)
    asked = _shares(prompt.words, [c.words for c in calls], _WORD)
    echoed = _shares(prompt.answer_words - prompt.words, [c.result_words for c in calls], _ECHO)
    return {
        c.seq: min(a + e, _MOST_TEXT)
        + learned.lean(prompt.template, c.tool)
        + (TRACE if prompt.trace and prompt.trace == c.trace else 0.0)
        for c, a, e in zip(calls, asked, echoed, strict=True)
    }


def _shares(words: frozenset[str], held: list[frozenset[str]], weight: float) -> list[float]:
    """For each of several sets: the rarity of what it shares with `words`, summed."""
    scores = [0.0] * len(held)
    for word in words:
        having = [i for i, h in enumerate(held) if word in h]
        if having and len(having) < len(held):
            rarity = math.log(len(held) / len(having)) + 0.3
            for i in having:
                scores[i] += weight * rarity
    return scores
