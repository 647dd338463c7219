"""Untangling a session: which call each prompt belongs to, weighed over all of them together.

Rules. Every step of a server has a cause: a prompt or a result follows the start of its call, or the answer to that
call's earlier prompt. Hypotheses say of every open prompt whose it is; each step multiplies what it is worth under each
of them. A call waits while its prompt is open; asking again meanwhile, or ending, is possible and unlikely. What is
said in the end is the share of the weight, never the best guess alone.
"""

import heapq
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditor.attribution import weigh
from auditor.attribution.evidence import explain
from auditor.attribution.model import Attribution, Call, Learned, Prompt, learn

_BEAM = 96  # hypotheses kept
_NEGLECTED = 12.0  # a hypothesis this much (in logarithms) below the best is dropped
_LAG = 160  # prompts that may stay unsettled; the oldest is settled then
NOBODY = -1

_START, _END, _CANCEL, _ASK, _CLOSE = range(5)


class _Hypothesis(NamedTuple):
    """`ready`: open call to when it last had cause for a step; `waiting`: open call to how many of its prompts are
    open; `owner`: open prompt to its call; `said`: the assignments made, latest first, as a linked list."""

    weight: float
    ready: dict[int, int]
    waiting: dict[int, int]
    owner: dict[int, int]
    said: "tuple[int, int, object] | None"


def attribute(
    calls: Sequence[Call], prompts: Sequence[Prompt], learned: Learned | None = None, threshold: float = 0.9
) -> list[Attribution]:
    """Attribute the prompts of one session that are not fixed; in the order of `seq`.

    `deduced` when one call alone was open, `none` when none was; else `inferred` when one has at least `threshold` of
    the weight, and `ambiguous` with all weights when not.
    """
    ordered = sorted(prompts, key=lambda p: (p.seq, p.item))
    by_seq = {c.seq: c for c in calls}
    certain = [(p.template, by_seq[p.fixed].tool) for p in ordered if p.fixed in by_seq]
    shares = _Session(by_seq, ordered, learn(certain, learned)).run()
    return [_conclude(p, shares[i], by_seq, threshold) for i, p in enumerate(ordered) if p.fixed is None]


def _conclude(p: Prompt, share: dict[int, float], calls: dict[int, Call], threshold: float) -> Attribution:
    able = open_at(p, calls, share)
    if not able:
        return Attribution(p.seq, p.item, "none", None, 0.0, ("no call was open when it was asked",), ())
    if len(able) == 1 and calls[able[0]].cancelled_seq is None:
        only = f"call {calls[able[0]].rpc_id} was the only one open when it was asked"
        return Attribution(p.seq, p.item, "deduced", able[0], 1.0, (only,), ((able[0], 1.0),))
    ranked = sorted(((share.get(c, 0.0), -c) for c in able), reverse=True)
    candidates = tuple((-c, round(w, 4)) for w, c in ranked)
    best, weight = -ranked[0][1], ranked[0][0]
    if weight >= threshold:
        why = explain(p, calls[best], [calls[c] for c in able], calls)
        return Attribution(p.seq, p.item, "inferred", best, round(weight, 4), why, candidates)
    nobody = 1.0 - sum(share.get(c, 0.0) for c in able)
    unsure: tuple[str, ...] = (f"{len(able)} calls were open, and nothing sets one of them clearly apart",)
    if nobody > 0.05:
        unsure += (f"it may belong to no call at all (weight {nobody:.2f})",)
    return Attribution(p.seq, p.item, "ambiguous", None, round(weight, 4), unsure, candidates)


def open_at(p: Prompt, calls: dict[int, Call], share: dict[int, float]) -> list[int]:
    """The calls that were open when a prompt was asked (or that were weighed for it), in order."""
    return sorted(c for c in share if c != NOBODY and c in calls)


class _Session:
    """One session under way."""

    def __init__(self, calls: dict[int, Call], prompts: list[Prompt], learned: Learned) -> None:
        self._calls, self._prompts, self._learned = calls, prompts, learned
        self._beam = [_Hypothesis(0.0, {}, {}, {}, None)]
        self._open: dict[int, int] = {}
        self._cancelled: dict[int, int] = {}
        self._unsettled: list[int] = []
        self._shares: list[dict[int, float]] = [{} for _ in prompts]

    def run(self) -> list[dict[int, float]]:
        """The share of the weight of each open call (and `NOBODY`), for each prompt."""
        for ts_us, kind, which in _events(self._calls.values(), self._prompts):
            if kind == _START:
                self._start(which, ts_us)
            elif kind == _END:
                self._end(which, ts_us)
            elif kind == _CANCEL:
                self._cancelled[which] = ts_us
            elif kind == _ASK:
                self._ask(which, ts_us)
            else:
                self._close(which, ts_us)
        self._settle(len(self._unsettled))
        return self._shares

    def _start(self, call: int, ts_us: int) -> None:
        self._open[call] = ts_us
        self._beam = [h._replace(ready={**h.ready, call: ts_us}) for h in self._beam]

    def _end(self, call: int, ts_us: int) -> None:
        """A call is over: its step follows what made it ready, and a prompt of its own should not be open."""
        cause = self._calls[call].end_cause
        if cause == "cancelled":
            return  # the server may have asked before it heard of it
        self._open.pop(call, None)
        beam = []
        for h in self._beam:
            since = h.ready.get(call)
            weight = h.weight
            if cause in ("answer", "error"):
                if h.waiting.get(call):
                    weight += weigh.OPEN_AT_END
                elif since is not None:
                    weight += weigh.step(ts_us - since)
            ready = {c: t for c, t in h.ready.items() if c != call}
            beam.append(h._replace(weight=weight, ready=ready))
        self._keep(beam)
        if not self._open and len(self._unsettled) > 0 and not any(h.owner for h in self._beam):
            self._settle(len(self._unsettled))

    def _ask(self, index: int, ts_us: int) -> None:
        p = self._prompts[index]
        self._unsettled.append(index)
        for gone in [c for c in self._cancelled if c in self._open and not self._allowed(c, ts_us)]:
            del self._open[gone]
        able = list(self._open)
        if p.fixed is not None:
            self._shares[index] = {p.fixed: 1.0}
            able = [p.fixed] if p.fixed in self._open else []
        texts = weigh.texts(p, [self._calls[c] for c in able], self._learned)
        beam = []
        for h in self._beam:
            for c in able:
                beam.append(self._given(h, index, c, ts_us, texts[c]))
            if p.fixed is None:
                nobody = h.weight + weigh.NOBODY
                beam.append(h._replace(weight=nobody, said=(index, NOBODY, h.said)))
        if beam:
            self._keep(beam)
        if p.fixed is None:
            self._shares[index] = dict.fromkeys(able, 0.0)
        if len(self._unsettled) > _LAG:
            self._settle(1)

    def _allowed(self, call: int, ts_us: int) -> bool:
        cancelled = self._cancelled.get(call)
        return cancelled is None or ts_us - cancelled < 2_000_000

    def _given(self, h: _Hypothesis, index: int, call: int, ts_us: int, text: float) -> _Hypothesis:
        """The hypothesis in which this prompt is that call's."""
        weight = h.weight + text
        if h.waiting.get(call):
            weight += weigh.PARALLEL
        weight += weigh.step(ts_us - h.ready.get(call, ts_us))
        if call in self._cancelled:
            weight += weigh.AFTER_CANCEL
        waiting = {**h.waiting, call: h.waiting.get(call, 0) + 1}
        return _Hypothesis(weight, h.ready, waiting, {**h.owner, index: call}, (index, call, h.said))

    def _close(self, index: int, ts_us: int) -> None:
        """A prompt was answered or withdrawn: whose it is has cause for its next step."""
        p = self._prompts[index]
        recent = [c for c, t in self._cancelled.items() if 0 <= ts_us - t < weigh.CASCADE_US] if p.cancelled_seq else []
        beam = []
        for h in self._beam:
            call = h.owner.get(index)
            if call is None:
                beam.append(h)
                continue
            left = h.waiting.get(call, 1) - 1
            waiting = {c: n for c, n in h.waiting.items() if c != call}
            if left:
                waiting[call] = left
            ready = {**h.ready, call: ts_us} if call in h.ready else h.ready
            owner = {i: c for i, c in h.owner.items() if i != index}
            weight = h.weight + (weigh.CASCADE if call in recent else 0.0)
            beam.append(_Hypothesis(weight, ready, waiting, owner, h.said))
        self._keep(beam)

    def _keep(self, beam: list[_Hypothesis]) -> None:
        """The heaviest hypotheses, their weights brought back to where they count."""
        top = max(h.weight for h in beam)
        kept = [h for h in beam if h.weight > top - _NEGLECTED]
        if len(kept) > _BEAM:
            kept = heapq.nlargest(_BEAM, kept, key=lambda h: h.weight)
        self._beam = [h._replace(weight=h.weight - top) for h in kept] if top else kept

    def _settle(self, count: int) -> None:
        """Say of the oldest unsettled prompts what the hypotheses say of them."""
        settled = set(self._unsettled[:count])
        self._unsettled = self._unsettled[count:]
        if not settled:
            return
        first = min(settled)
        total = 0.0
        sums: dict[int, dict[int, float]] = {i: {} for i in settled}
        for h in self._beam:
            mass = math.exp(h.weight)
            total += mass
            node = h.said
            while node is not None and node[0] >= first:
                index, call, node = node  # type: ignore[assignment]
                if index in sums:
                    sums[index][call] = sums[index].get(call, 0.0) + mass
        for index, masses in sums.items():
            if self._prompts[index].fixed is None:
                self._shares[index].update({c: m / total for c, m in masses.items()})
        if not self._unsettled:
            self._beam = [h._replace(said=None) for h in self._beam]


def _events(calls: "object", prompts: list[Prompt]) -> Iterator[tuple[int, int, int]]:
    """(time in µs, kind, seq of the call or index of the prompt), in recorded order."""
    found: list[tuple[int, int, int, int]] = []
    for c in calls:  # type: ignore[attr-defined]
        found.append((c.seq, c.ts_us, _START, c.seq))
        if c.cancelled_seq is not None and c.end_seq != c.cancelled_seq:
            found.append((c.cancelled_seq, c.end_us or c.ts_us, _CANCEL, c.seq))
        if c.end_seq is not None:
            if c.end_cause == "cancelled":
                found.append((c.end_seq, c.end_us or c.ts_us, _CANCEL, c.seq))
            found.append((c.end_seq, c.end_us or c.ts_us, _END, c.seq))
    for i, p in enumerate(prompts):
        found.append((p.seq, p.ts_us, _ASK, i))
        if p.closed_seq is not None:
            found.append((p.closed_seq, p.closed_us or p.ts_us, _CLOSE, i))
    found.sort(key=lambda e: (e[0], e[2]))
    for _, ts_us, kind, which in found:
        yield ts_us, kind, which
