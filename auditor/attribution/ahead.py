"""What a session shows later of a prompt: whose next step followed its answer.

Rules. The hypotheses are weighed in recorded order, and many of them look alike until the answer. Which of them to keep
meanwhile is told by a look ahead, backwards from the end: a call's end that follows an answer at once speaks for that
call; a prompt that does speaks for whatever speaks for its own. It guides what is kept, and counts for nothing itself.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence

from auditor.attribution import weigh
from auditor.attribution.model import Call, Prompt

_WITHIN_US = weigh.FADED_US
_MOST = 24  # steps behind one answer that are looked at, and calls that are spoken for

Hopes = dict[int, float]
"""Call (its seq) to how much what comes speaks for it, as a natural logarithm; 0 for those that are not there."""


def look_ahead(items: Sequence[Call | Prompt]) -> dict[int, Hopes]:
    """For each prompt by the `id` of its object: what comes after its answer says."""
    calls = [c for c in items if isinstance(c, Call)]
    asked = sorted((p for p in items if isinstance(p, Prompt)), key=lambda p: p.ts_us)
    ends = sorted((c.end_us, c.seq) for c in calls if c.end_us is not None and c.end_cause in ("answer", "error"))
    end_times, ask_times = [t for t, _ in ends], [p.ts_us for p in asked]
    found: dict[int, Hopes] = {}
    speaks: dict[int, Hopes] = {}
    for p in sorted((p for p in asked if p.closed_us is not None), key=lambda p: -(p.closed_us or 0)):
        since = p.closed_us or 0
        for_call: Hopes = {}
        at = bisect_right(end_times, since)
        for ts_us, call in ends[at : at + _MOST]:
            if ts_us - since > _WITHIN_US:
                break
            for_call[call] = for_call.get(call, 0.0) + _ratio(ts_us - since)
        at = bisect_right(ask_times, since)
        for later in asked[at : at + _MOST]:
            if later.ts_us - since > _WITHIN_US:
                break
            _pass_on(for_call, speaks.get(id(later), {}), _ratio(later.ts_us - since))
        if len(for_call) > _MOST:
            for_call = dict(sorted(for_call.items(), key=lambda item: -item[1])[:_MOST])
        speaks[id(p)] = for_call
        found[id(p)] = {c: math.log1p(v) for c, v in for_call.items()}
    return found


def _ratio(gap_us: int) -> float:
    """How much likelier a step is that long after its cause than long after it."""
    return math.exp(weigh.step(gap_us) - weigh.LONG_AGO)


def _pass_on(to: Hopes, speaks: Hopes, weight: float) -> None:
    total = 1.0 + sum(speaks.values())
    for call, value in speaks.items():
        to[call] = to.get(call, 0.0) + weight * value / total
