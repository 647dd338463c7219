"""Whose each prompt is, weighed over all prompts of a stretch together.

Rules. Every step of a server has a cause: a prompt or a result follows the start of its call, or the answer to that
call's earlier prompt. So a call with the prompts that it may have asked is a chain of steps, and how likely the chain
is follows from how long its steps took, from texts, and from how it ended. Which prompts are whose is then drawn again
and again, each time given all the others (Gibbs sampling): one prompt anew among all calls, or all prompts of two calls
anew between those two, for where calls look alike only two changes at once lead from one likely answer to the next.
What is said of a prompt is the share of the drawings in which it was a call's, never the likeliest alone. The dice are
the same each time, so that equal records give equal answers.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from auditor.attribution import weigh
from auditor.attribution.dice import Dice
from auditor.attribution.model import CROWD, NOBODY, Call, Learned, Prompt
from auditor.attribution.tempo import Step, Tempo, any_time

_WARM = 20  # rounds that do not count; every fifth of them looks anew at how long steps take
_ROUNDS = 50  # rounds that count
_DOUBT = 1.25  # by how much all weights are divided: signs that depend on each other are counted one by one
_HOT = 3.0  # how freely the first round draws
_MOST_CALLS = 24  # calls that are weighed for a prompt
_TOGETHER = 5  # prompts of two calls that are drawn at once
_SURE = 0.999  # no doubt; a prompt of which there was none in so many rounds
_CALM = 6
_SELDOM = 8  # is drawn only in one of so many
_FAINT = 12.0  # a call that never ends is left out where its weight is less by so much than the best at first
_NEVER = 1 << 62
_LASTING = ("open", "session_end")  # how a call that never ends is said to end

Own = tuple[int, ...]
"""Prompts of one call, by their place in the stretch, in order."""


class Asked:
    """A prompt at hand: the calls that may have asked it, and how many more stood open that are not weighed one by one.
    `settled`: it was spoken of already; `owner`: whose it most likely is."""

    def __init__(self, prompt: Prompt, able: list[int], crowd: int) -> None:
        self.prompt, self.able, self.crowd = prompt, able, crowd
        self.settled, self.owner = False, NOBODY

    def open_at(self, seq: int) -> bool:
        """Whether it is still open there."""
        return self.prompt.closed_seq is None or self.prompt.closed_seq > seq


class Stretch:
    """Prompts that are weighed together. `since_us`: when a call last had a cause for a step, where that was not its
    start and no prompt at hand says so; `last_us`: until when nothing came of what is still open."""

    def __init__(
        self, asked: Sequence[Asked], calls: dict[int, Call], learned: Learned, since_us: dict[int, int], last_us: int
    ) -> None:
        self._calls, self._since_us, self._last_us = calls, since_us, last_us
        self._prompts = [a.prompt for a in asked]
        self._dice = Dice(1)
        self._tempo = Tempo()
        self._cache: dict[tuple[int, Own], float] = {}
        self._texts = [weigh.texts(a.prompt, [calls[c] for c in a.able]) for a in asked]
        self._able = [self._likeliest(i, a.able) for i, a in enumerate(asked)]
        self._templates = weigh.Templates(learned)
        self._others = [self._not_a_call(a.prompt, a.crowd) for a in asked]
        self._owner = [NOBODY] * len(asked)
        self._own: dict[int, Own] = {}
        # calls that never end are open to all that is asked after them, and would have it all weighed together
        self._lasting = {c for c, call in calls.items() if call.end_cause in _LASTING}
        self._calm = [0] * len(asked)  # how often in turn there was no doubt of a prompt

    def shares(self) -> list[dict[int, float]]:
        """For each prompt: the share of each call that may have asked it, and of nobody and the crowd."""
        for i in range(len(self._prompts)):
            self._draw(i, None, 0.0)
        loose = [i for i, cs in enumerate(self._able) if self._prompts[i].fixed is None and cs]
        alone = self._alone(loose)
        sums: list[dict[int, float]] = [{} for _ in self._prompts]
        drawn = [0] * len(self._prompts)
        for turn in range(_WARM + _ROUNDS):
            heat = _DOUBT + max(0.0, (_HOT - _DOUBT) * (1 - 2 * turn / _WARM))
            for i in loose:
                if (i in alone or self._calm[i] >= _CALM) and (turn + i) % _SELDOM:
                    continue
                drawn[i] += turn >= _WARM
                self._draw(i, sums[i] if turn >= _WARM else None, heat)
                if len(self._able[i]) > 1 and i not in alone:
                    self._exchange(i, heat)
            if turn < _WARM and turn % 5 == 4:
                self._listen()
        return [{c: w / n for c, w in s.items()} for s, n in zip(sums, drawn, strict=True)]

    def _alone(self, loose: Sequence[int]) -> set[int]:
        """Prompts on which no other prompt bears."""
        asked = Counter(c for cs in self._able for c in cs)
        return {i for i in loose if all(asked[c] == 1 for c in self._able[i])}

    def _likeliest(self, i: int, calls: Sequence[int]) -> list[int]:
        p = self._prompts[i]
        if p.fixed is not None:
            return [p.fixed] if p.fixed in self._calls else []
        if len(calls) <= _MOST_CALLS:
            return list(calls)
        return sorted(sorted(calls, key=lambda c: (-self._texts[i][c], -c))[:_MOST_CALLS])

    def _not_a_call(self, p: Prompt, crowd: int) -> dict[int, float]:
        """The weights of what is no call of the stretch."""
        if p.fixed is not None:
            return {} if p.fixed in self._calls else {NOBODY: 0.0}
        first, last = self._prompts[0].ts_us, self._prompts[-1].ts_us
        each_ms = max((last - first) / 1000, 1000.0) / len(self._prompts)
        others = {NOBODY: weigh.NOBODY - math.log(each_ms) + self._templates.nobody}
        if crowd:
            others[CROWD] = math.log(crowd) + any_time(max(self._last_us - first, 60_000_000)) + self._templates.nobody
        return others

    # Drawing

    def _draw(self, i: int, sums: dict[int, float] | None, heat: float) -> None:
        """Draw whose one prompt is, given all others; with no heat, take the likeliest."""
        p, was = self._prompts[i], self._owner[i]
        if was >= 0:
            self._give(i, was, -1)
        weights = dict(self._others[i])
        for c in self._able[i]:
            own = self._own.get(c, ())
            weights[c] = (
                self._chain(c, _with(own, i))
                - self._chain(c, own)
                + self._templates.worth(p.template, self._calls[c].tool)
            )
        if not weights:
            return
        top = max(weights.values())
        if heat == 0.0:
            now = max(weights, key=lambda c: (weights[c], -c))
            self._able[i] = [c for c in self._able[i] if c not in self._lasting or weights[c] >= top - _FAINT]
        else:
            mass = {c: math.exp((w - top) / heat) for c, w in weights.items() if w > top - 30 * heat}
            total = math.fsum(mass.values())
            if sums is not None:
                for c, m in mass.items():
                    sums[c] = sums.get(c, 0.0) + m / total
            now = list(mass)[self._dice.pick(list(mass.values()))]
            sure = now == was and mass[now] > _SURE * total
            self._calm[i] = self._calm[i] + 1 if sure else 0
        self._owner[i] = now
        if now >= 0:
            self._give(i, now, 1)

    def _give(self, i: int, call: int, times: int) -> None:
        own = self._own.get(call, ())
        self._own[call] = _with(own, i) if times > 0 else _less(own, i)
        self._templates.count(self._prompts[i].template, self._calls[call].tool, times)

    def _exchange(self, i: int, heat: float) -> None:
        """Draw anew how the prompts of two calls are shared between them."""
        a = self._owner[i]
        b = self._able[i][self._dice.below(len(self._able[i]))]
        if a < 0 or a == b:
            return
        every = sorted(self._own.get(a, ()) + self._own.get(b, ()))
        if len(every) > 2:
            self._swap(a, b, every, heat)
        of_a, of_b = self._own.get(a, ()), self._own.get(b, ())
        if len(every) > _TOGETHER:
            at = self._dice.below(len(every) - _TOGETHER + 1)
            drawn = every[at : at + _TOGETHER]
        else:
            drawn = every
        drawn = [j for j in drawn if a in self._able[j] and b in self._able[j] and self._prompts[j].fixed is None]
        if not drawn:
            return
        kept_a, kept_b = (tuple(j for j in of if j not in drawn) for of in (of_a, of_b))
        apart = self._apart(drawn, a, b)
        found: list[tuple[float, Own, Own]] = []
        for mask in range(1 << len(drawn)):
            to_a = tuple(j for n, j in enumerate(drawn) if mask >> n & 1)
            to_b = tuple(j for n, j in enumerate(drawn) if not mask >> n & 1)
            own_a, own_b = _merged(kept_a, to_a), _merged(kept_b, to_b)
            weight = self._chain(a, own_a) + self._chain(b, own_b)
            if apart:
                weight += math.fsum(apart[j] for j in to_a)
            found.append((weight, own_a, own_b))
        top = max(found)[0]
        left = [math.exp((w - top) / heat) for w, _, _ in found]
        _, own_a, own_b = found[self._dice.pick(left)]
        if own_a != of_a:
            self._settle(a, own_a, b, own_b)

    def _swap(self, a: int, b: int, every: Sequence[int], heat: float) -> None:
        """Try what it would be if, from some prompt on, up to another or to the last, each call's were the other's."""
        first = self._dice.below(len(every))
        last = len(every) if self._dice.throw() < 0.5 else first + 1 + self._dice.below(len(every) - first)
        moved = set(every[first:last])
        if any(self._prompts[j].fixed is not None or a not in self._able[j] or b not in self._able[j] for j in moved):
            return
        of_a, of_b = self._own.get(a, ()), self._own.get(b, ())
        own_a, own_b = (
            tuple(sorted([j for j in of if j not in moved] + [j for j in other if j in moved]))
            for of, other in ((of_a, of_b), (of_b, of_a))
        )
        gain = self._chain(a, own_a) + self._chain(b, own_b) - self._chain(a, of_a) - self._chain(b, of_b)
        if apart := self._apart(every, a, b):
            gain += math.fsum(apart[j] for j in own_a) - math.fsum(apart[j] for j in of_a)
        if gain >= 0.0 or self._dice.throw() < math.exp(gain / heat):
            self._settle(a, own_a, b, own_b)

    def _settle(self, a: int, own_a: Own, b: int, own_b: Own) -> None:
        """Give these prompts to these two calls."""
        for j in own_a + own_b:
            now = a if j in own_a else b
            was = self._owner[j]
            if now != was:
                self._templates.count(self._prompts[j].template, self._calls[was].tool, -1)
                self._templates.count(self._prompts[j].template, self._calls[now].tool, 1)
                self._owner[j], self._calm[j] = now, 0
        self._own[a], self._own[b] = own_a, own_b

    def _apart(self, drawn: Sequence[int], a: int, b: int) -> dict[int, float]:
        """How much more each prompt looks like one of the first call's tool."""
        one, two = self._calls[a].tool, self._calls[b].tool
        if one == two:
            return {}
        worth = self._templates.worth
        for j in drawn:
            self._templates.count(self._prompts[j].template, self._calls[self._owner[j]].tool, -1)
        apart = {j: worth(self._prompts[j].template, one) - worth(self._prompts[j].template, two) for j in drawn}
        for j in drawn:
            self._templates.count(self._prompts[j].template, self._calls[self._owner[j]].tool, 1)
        return apart

    # Weighing

    def _chain(self, call: int, own: Own) -> float:
        key = call, own
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self._weigh(call, own, None)
        return found

    def _weigh(self, call: int, own: Own, steps: list[Step] | None) -> float:
        """How likely it is that a call asked just these prompts; what its steps took is added to `steps`."""
        c = self._calls[call]
        cause = self._since_us.get(call, c.ts_us)
        weight, before, waits = 0.0, cause, -1
        for n, i in enumerate(own):
            p = self._prompts[i]
            weight += self._texts[i].get(call, 0.0)
            if waits > p.seq:
                weight += weigh.PARALLEL + self._tempo.ask(c.tool, -1, p.ts_us - before)
            else:
                weight += self._tempo.ask(c.tool, n, p.ts_us - cause)
                if steps is not None:
                    steps.append(Step(c.tool, n, False, p.ts_us - cause))
            before = p.ts_us
            waits = max(waits, p.closed_seq or _NEVER)
            cause = cause if p.closed_us is None else max(cause, p.closed_us)
            if c.cancelled_seq is not None and p.seq > c.cancelled_seq:
                weight += weigh.AFTER_CANCEL
            elif p.cancelled_seq is not None and c.cancelled_seq is not None and p.cancelled_seq > c.cancelled_seq:
                weight += weigh.CASCADE if (p.closed_us or 0) - (c.end_us or 0) < weigh.CASCADE_US else 0.0
        return weight + self._ending(c, len(own), before if waits > (c.end_seq or 0) else cause, waits, steps)

    def _ending(self, c: Call, asked: int, cause: int, waits: int, steps: list[Step] | None) -> float:
        if c.end_cause in ("answer", "error"):
            took = (c.end_us or cause) - cause
            if waits > (c.end_seq or 0):
                return (weigh.TIMED_OUT if c.timed_out else weigh.OPEN_AT_END) + any_time(took)
            if steps is not None:
                steps.append(Step(c.tool, asked, True, took))
            return self._tempo.end(c.tool, asked, took)
        if c.end_cause not in ("cancelled", *_LASTING):
            return 0.0
        until = c.end_us if c.end_us is not None else self._last_us
        return 0.0 if waits > (c.end_seq or 0) else self._tempo.still(c.tool, asked, until - cause)

    def _listen(self) -> None:
        """Look at how long steps take, as prompts are given now."""
        steps: list[Step] = []
        for call in self._calls:
            self._weigh(call, self._own.get(call, ()), steps)
        self._tempo.learn(steps)
        self._cache.clear()


def _with(own: Own, i: int) -> Own:
    at = bisect_left(own, i)
    return (*own[:at], i, *own[at:])


def _less(own: Own, i: int) -> Own:
    at = bisect_left(own, i)
    return own[:at] + own[at + 1 :]


def _merged(kept: Own, more: Own) -> Own:
    return tuple(sorted(kept + more)) if kept else more
