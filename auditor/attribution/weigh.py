"""What each sign is worth, as a natural logarithm of a likelihood ratio; what times are worth is in `tempo`.

The figures are what simulated servers and recorded sessions show; `docs/attribution.md` says how they were found, and
`benchmarks/attribution.py` measures how well the confidences that follow from them are calibrated.
"""

import math
from collections.abc import Iterable

from auditor.attribution.model import Call, Learned, Prompt

PARALLEL = math.log(0.03)  # a tool that asks again before its earlier prompt is answered
OPEN_AT_END = math.log(3e-3)  # a call that ends while its own prompt is open,
TIMED_OUT = math.log(0.5)  # and the same where its result says that it waited in vain
AFTER_CANCEL = math.log(0.03)  # a call that asks after it was cancelled
NOBODY = math.log(0.004)  # a prompt that belongs to no call, to one that does
CASCADE = math.log(30.0)  # a prompt that is withdrawn right after its call was cancelled
CASCADE_US = 1_000_000
TRACE = math.log(1000.0)  # the same trace context
_WORD = 2.2  # a rare word that prompt and call share, times its rarity
_ECHO = 1.8  # a rare word of the answer in the call's result, times its rarity
_MOST_TEXT = 7.0
_KINDS = 20.0  # kinds of prompts that a server may have
_UNSEEN = 0.3  # how many of each a tool is taken to have asked before anything is known


def texts(prompt: Prompt, able: Iterable[Call]) -> dict[int, float]:
    """For each call that was open: what the texts say for it."""
    calls = list(able)
    asked = _shares(prompt.words, [c.words for c in calls], _WORD)
    echoed = _shares(prompt.answer_words - prompt.words, [c.result_words for c in calls], _ECHO)
    return {
        c.seq: min(a + e, _MOST_TEXT) + (TRACE if prompt.trace and prompt.trace == c.trace else 0.0)
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


class Templates:
    """Which tool asks with which words: what certain cases taught, and what is supposed of the prompts at hand."""

    nobody = -math.log(_KINDS)

    def __init__(self, learned: Learned) -> None:
        self._seen: dict[str, dict[str, float]] = {}
        self._all: dict[str, float] = {}
        for template, tools in learned.templates.items():
            for tool, times in tools.items():
                self.count(template, tool, times)

    def count(self, template: str, tool: str, times: float) -> None:
        """That tool asked with that template so many times more."""
        seen = self._seen.setdefault(template, {})
        seen[tool] = seen.get(tool, 0.0) + times
        self._all[tool] = self._all.get(tool, 0.0) + times

    def worth(self, template: str, tool: str) -> float:
        """How likely the next prompt of a tool is one with that template."""
        seen = self._seen.get(template)
        times = seen.get(tool, 0.0) if seen else 0.0
        return math.log((times + _UNSEEN) / (self._all.get(tool, 0.0) + _UNSEEN * _KINDS))
