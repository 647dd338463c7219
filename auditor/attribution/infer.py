"""Untangling a session: which call each prompt belongs to, weighed over all of them together.

Rules. Every step of a server has a cause: a prompt or a result follows the start of its call, or the answer to that
call's earlier prompt. Hypotheses say of every open prompt whose it is; each step multiplies what it is worth under each
of them. A call waits while its prompt is open; asking again meanwhile, or ending, is possible and unlikely. What is
said in the end is the share of the weight, never the best guess alone.

A session may be endless, so it is read once, in recorded order, and what is over is forgotten. Calls that never end
pile up in it: the latest are weighed one by one, and all before them together, as one that may be any of them.
"""

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from auditor.attribution import weigh
from auditor.attribution.ahead import Hopes, look_ahead
from auditor.attribution.conclude import CROWD, NOBODY, conclude
from auditor.attribution.model import Attribution, Call, Learned, Prompt, learn
from auditor.attribution.thin import thin

_BEAM = 128  # hypotheses kept
_NEGLECTED = 12.0  # a hypothesis this much (in logarithms) below the best is dropped
_SEEN_AHEAD = 1000  # calls and prompts that are looked at before they are weighed
_LAG = 160  # prompts that may stay unsettled; the oldest are settled then, some at once
_SOME = 32
_PATIENCE = 2  # prompts that wait for more to be seen of calls that never end
_LASTING = 16  # such calls that are weighed one by one, and
_LATEST = 2  # how many where more than these have come together

_START, _END, _CANCEL, _ASK, _CLOSE = range(5)


class _Hypothesis(NamedTuple):
    """`ready`: call to when an answer gave it cause for a step, if that was later than its start; `waiting`: open call
    to how many of its prompts are open; `owner`: open prompt to its call; `said`: the calls that prompts were given to,
    with their shares, latest prompt first."""

    weight: float
    ready: dict[int, int]
    waiting: dict[int, int]
    owner: dict[int, int]
    said: "_Said | None"


class _Said(NamedTuple):
    """Whose a prompt is, in shares, and the same of the prompt before it."""

    prompt: int
    shares: dict[int, float]
    before: "_Said | None"


def attribute(
    calls: Sequence[Call], prompts: Sequence[Prompt], learned: Learned | None = None, threshold: float = 0.9
) -> list[Attribution]:
    """Attribute the prompts of one session that are not fixed; in the order of `seq`.

    `deduced` when one call alone was open, `none` when none was; else `inferred` when one has at least `threshold` of
    the weight, and `ambiguous` with all weights when not.
    """
    ordered = sorted(prompts, key=lambda p: (p.seq, p.item))
    tools = {c.seq: c.tool for c in calls}
    certain = [(p.template, tools[p.fixed]) for p in ordered if p.fixed in tools]
    items: list[Call | Prompt] = sorted([*calls, *ordered], key=lambda item: item.seq)
    return list(untangle(items, learn(certain, learned), threshold))


def untangle(items: Iterable[Call | Prompt], learned: Learned, threshold: float) -> Iterator[Attribution]:
    """The same of a session of any length, whose calls and prompts come in the order of `seq`."""
    session = _Session(learned, threshold)
    for item, ahead in _with_what_comes(items):
        session.feed(item, ahead)
        yield from session.found
        session.found.clear()
    session.finish()
    yield from session.found


def _with_what_comes(items: Iterable[Call | Prompt]) -> Iterator[tuple[Call | Prompt, Hopes | None]]:
    """Each item with what comes after it, as far as one looks ahead."""
    coming = iter(items)
    block = list(islice(coming, 2 * _SEEN_AHEAD))
    while block:
        hopes = look_ahead(block)
        now = block[:_SEEN_AHEAD] if len(block) == 2 * _SEEN_AHEAD else block
        yield from ((item, hopes.get(id(item))) for item in now)
        block = block[len(now) :] + list(islice(coming, len(now)))


class _Session:
    """One session under way; `found` is what can be said so far."""

    def __init__(self, learned: Learned, threshold: float) -> None:
        self._learned, self._threshold = learned, threshold
        self._calls: dict[int, Call] = {}
        self._prompts: dict[int, Prompt] = {}  # by the order in which they were asked
        self._ahead_of: dict[int, Hopes] = {}
        self._asked = 0
        self._now = 0
        self._beam = [_Hypothesis(0.0, {}, {}, {}, None)]
        self._open: dict[int, int] = {}  # calls that may ask, and when they began
        self._began: dict[int, int] = {}  # the same, with those that were cancelled and may still answer
        self._lasting: dict[int, None] = {}  # those of the open ones that never end
        self._crowd = 0  # how many more of them there are
        self._cancelled: dict[int, int] = {}
        self._ahead: list[tuple[int, int, int, int, int]] = []  # (seq, kind, order, time, of what)
        self._unsettled: list[int] = []
        self._shares: dict[int, dict[int, float]] = {}
        self._crowds: dict[int, int] = {}
        self.found: list[Attribution] = []

    def feed(self, item: Call | Prompt, ahead: Hopes | None = None) -> None:
        """A call begins, or a prompt is asked; `ahead` is what comes after its answer."""
        self._until(item.seq, _START if isinstance(item, Call) else _ASK)
        if isinstance(item, Call):
            self._start(item)
        else:
            index = self._asked
            self._asked += 1
            self._prompts[index] = item
            if ahead:
                self._ahead_of[index] = ahead
            if item.closed_seq is not None:
                self._later(item.closed_seq, _CLOSE, item.closed_us or item.ts_us, index)
            self._ask(index, item)

    def finish(self) -> None:
        """Nothing more comes."""
        self._until(None, _START)
        self._settle(len(self._unsettled))

    def _later(self, seq: int, kind: int, ts_us: int, which: int) -> None:
        heapq.heappush(self._ahead, (seq, kind, which, ts_us, which))

    def _until(self, seq: int | None, kind: int) -> None:
        """What happens before that place."""
        while self._ahead and (seq is None or self._ahead[0][:2] < (seq, kind)):
            _, what, _, ts_us, which = heapq.heappop(self._ahead)
            if what == _END:
                self._end(which, ts_us)
            elif what == _CANCEL:
                self._cancelled[which] = ts_us
            else:
                self._close(which, ts_us)

    def _start(self, c: Call) -> None:
        self._calls[c.seq] = c
        self._open[c.seq] = self._began[c.seq] = c.ts_us
        if c.cancelled_seq is not None and c.end_seq != c.cancelled_seq:
            self._later(c.cancelled_seq, _CANCEL, c.end_us or c.ts_us, c.seq)
        if c.end_seq is not None:
            if c.end_cause == "cancelled":
                self._later(c.end_seq, _CANCEL, c.end_us or c.ts_us, c.seq)
            self._later(c.end_seq, _END, c.end_us or c.ts_us, c.seq)
        if c.end_cause in ("open", "session_end"):
            self._lasting[c.seq] = None
            while len(self._lasting) > (_LATEST if self._crowd else _LASTING):
                oldest = next(iter(self._lasting))
                for known in (self._lasting, self._open, self._began):
                    known.pop(oldest, None)
                self._crowd += 1

    def _end(self, call: int, ts_us: int) -> None:
        """A call is over: its step follows what made it ready, and a prompt of its own should not be open."""
        cause = self._calls[call].end_cause if call in self._calls else "open"
        if cause == "cancelled":
            return  # the server may have asked before it heard of it
        self._open.pop(call, None)
        began = self._began.pop(call, ts_us)
        if any(call in h.ready or call in h.waiting for h in self._beam):  # else it is worth the same to all of them
            beam = []
            for h in self._beam:
                weight = h.weight
                if cause in ("answer", "error"):
                    late = ts_us - h.ready.get(call, began)
                    weight += weigh.OPEN_AT_END if h.waiting.get(call) else weigh.step(late)
                beam.append(_Hypothesis(weight, _without(h.ready, call), h.waiting, h.owner, h.said))
            self._keep(self._merged(beam, ts_us))
        if not self._unsettled or any(h.owner for h in self._beam):
            return
        patience = 0 if self._crowd else _PATIENCE
        if not self._open or (len(self._unsettled) > patience and len(self._open) == len(self._lasting)):
            self._settle(len(self._unsettled))

    def _ask(self, index: int, p: Prompt) -> None:
        self._unsettled.append(index)
        self._now = p.ts_us
        for gone in [c for c in self._cancelled if c in self._open and not self._allowed(c, p.ts_us)]:
            del self._open[gone]
            if self._calls[gone].end_cause == "cancelled":
                self._began.pop(gone, None)
        able = list(self._open)
        if p.fixed is not None:
            self._shares[index] = {p.fixed: 1.0}
            able = [p.fixed] if p.fixed in self._open else []
        worth = weigh.texts(p, [self._calls[c] for c in able], self._learned)
        for c in able:
            worth[c] += weigh.AFTER_CANCEL if c in self._cancelled else 0.0
        step = {c: weigh.step(p.ts_us - self._open[c]) for c in able}
        if self._crowd and p.fixed is None:
            able.append(CROWD)
            worth[CROWD], step[CROWD] = 0.0, weigh.LONG_AGO + math.log(self._crowd)
            self._crowds[index] = self._crowd
        self._share_out(index, p, able, worth, step)
        if p.fixed is None:
            self._shares[index] = dict.fromkeys(able, 0.0)
        if len(self._unsettled) >= _LAG + _SOME:
            self._settle(_SOME)

    def _share_out(
        self, index: int, p: Prompt, able: list[int], worth: dict[int, float], step: dict[int, float]
    ) -> None:
        """Every hypothesis, once for each call that the prompt may belong to. What is too light is not even made."""
        plain = {c: worth[c] + step[c] for c in able}
        if p.fixed is None:
            plain[NOBODY] = weigh.NOBODY
        if not plain:
            return
        top = max(plain.values()) + max(h.weight for h in self._beam)
        listed = sorted(plain.items(), key=lambda item: -item[1])
        born: list[tuple[float, int, int]] = []
        for i, h in enumerate(self._beam):
            least = top - h.weight - _NEGLECTED
            apart = {
                c: self._told_apart(h, c, p.ts_us, plain[c], worth[c]) for c in {*h.ready, *h.waiting} if c in plain
            }
            for c, w in listed:
                if w <= least:
                    break
                if c not in apart:
                    born.append((h.weight + w, i, c))
            born += [(h.weight + w, i, c) for c, w in apart.items()]
        top = max(born)[0]
        born = [b for b in born if b[0] > top - _NEGLECTED]
        hopes = self._hopes(index, born) if len(born) > _BEAM else []
        kept = thin([weight - top for weight, _, _ in born], hopes, _BEAM, index)
        self._beam = [_given(self._beam[born[n][1]], index, born[n][2], weight) for n, weight in kept]

    def _hopes(self, index: int, born: list[tuple[float, int, int]]) -> list[float]:
        """How likely each hypothesis is to weigh more soon: what comes speaks for the calls that it gave prompts to."""
        ahead, here = self._ahead_of, self._ahead_of.get(index, {})
        of_open = [sum(ahead[i].get(c, 0.0) for i, c in h.owner.items() if i in ahead) for h in self._beam]
        return [of_open[i] + here.get(c, 0.0) for _, i, c in born]

    def _told_apart(self, h: _Hypothesis, call: int, ts_us: int, plain: float, worth: float) -> float:
        """What the prompt is worth as one of that call, where the hypothesis knows more of the call than its start."""
        since, waits = h.ready.get(call), call in h.waiting
        weight = plain
        if since is not None:
            step = weigh.step(ts_us - since)
            weight = worth + step if call != CROWD else max(plain, step)
        return weight + weigh.PARALLEL if waits and call != CROWD else weight

    def _allowed(self, call: int, ts_us: int) -> bool:
        cancelled = self._cancelled.get(call)
        return cancelled is None or ts_us - cancelled < 2_000_000

    def _close(self, index: int, ts_us: int) -> None:
        """A prompt was answered or withdrawn: whose it is has cause for its next step."""
        p = self._prompts.get(index)
        if p is None:  # settled, and nobody's in every hypothesis
            return
        recent = [c for c, t in self._cancelled.items() if 0 <= ts_us - t < weigh.CASCADE_US] if p.cancelled_seq else []
        beam = []
        for h in self._beam:
            call = h.owner.get(index)
            if call is None:
                beam.append(h)
                continue
            left = h.waiting.get(call, 1) - 1
            waiting = {**h.waiting, call: left} if left else _without(h.waiting, call)
            ready = {**h.ready, call: ts_us} if call in self._began or call == CROWD else h.ready
            weight = h.weight + (weigh.CASCADE if call in recent else 0.0)
            beam.append(_Hypothesis(weight, ready, waiting, _without(h.owner, index), h.said))
        self._keep(beam)

    def _merged(self, beam: list[_Hypothesis], ts_us: int) -> list[_Hypothesis]:
        """One hypothesis of those that nothing to come can tell apart."""
        alike: dict[tuple[frozenset[tuple[int, int]], ...], _Hypothesis] = {}
        for h in beam:
            if h.ready and ts_us - min(h.ready.values()) > weigh.FADED_US:
                ready = {c: t for c, t in h.ready.items() if ts_us - t <= weigh.FADED_US}
                h = _Hypothesis(h.weight, ready, h.waiting, h.owner, h.said)
            state = frozenset(h.ready.items()), frozenset(h.owner.items())
            same = alike.get(state)
            alike[state] = h if same is None else _joined(same, h)
        return list(alike.values())

    def _keep(self, beam: list[_Hypothesis]) -> None:
        """The hypotheses that are not too light, their weights brought back to where they count."""
        top = max(h.weight for h in beam)
        self._beam = [_Hypothesis(h.weight - top, *h[1:]) for h in beam if h.weight > top - _NEGLECTED]

    def _settle(self, count: int) -> None:
        """Say of the oldest unsettled prompts what the hypotheses say of them."""
        settled, self._unsettled = self._unsettled[:count], self._unsettled[count:]
        if not settled:
            return
        sums: dict[int, dict[int, float]] = {i: {} for i in settled if self._prompts[i].fixed is None}
        total = 0.0
        for h in self._beam:
            mass = math.exp(h.weight)
            total += mass
            node = h.said
            while node is not None:
                if node.prompt in sums:
                    _add(sums[node.prompt], node.shares, mass)
                node = node.before
        for index in settled:
            p, share = self._prompts[index], self._shares.pop(index)
            if p.fixed is None:
                share.update({c: m / total for c, m in sums[index].items()})
                self.found.append(conclude(p, share, self._calls, self._crowds.pop(index, 0), self._threshold))
        self._forget(settled[-1])

    def _forget(self, last: int) -> None:
        """Let go of what nothing refers to; prompts up to the `last` one are settled."""
        held = self._began.keys() | {c for share in self._shares.values() for c in share}
        self._calls = {c: call for c, call in self._calls.items() if c in held}
        self._cancelled = {c: ts for c, ts in self._cancelled.items() if c in held}
        owned = {index for h in self._beam for index in h.owner}
        self._prompts = {i: p for i, p in self._prompts.items() if i in owned or i in self._shares}
        self._ahead_of = {i: ahead for i, ahead in self._ahead_of.items() if i in owned}
        beam = [h._replace(said=_after(h.said, last)) for h in self._beam]
        self._keep(self._merged(beam, self._now))


def _given(h: _Hypothesis, index: int, call: int, weight: float) -> _Hypothesis:
    """The hypothesis in which a prompt is that call's, or nobody's."""
    said = _Said(index, {call: 1.0}, h.said)
    if call == NOBODY:
        return _Hypothesis(weight, h.ready, h.waiting, h.owner, said)
    waiting = {**h.waiting, call: h.waiting.get(call, 0) + 1}
    return _Hypothesis(weight, h.ready, waiting, {**h.owner, index: call}, said)


def _without(d: dict[int, int], key: int) -> dict[int, int]:
    if key not in d:
        return d
    left = dict(d)
    del left[key]
    return left


def _joined(a: _Hypothesis, b: _Hypothesis) -> _Hypothesis:
    """Two that are alike, as one of the weight of both."""
    top = max(a.weight, b.weight)
    of_a, of_b = math.exp(a.weight - top), math.exp(b.weight - top)
    said = _mixed(a.said, b.said, of_a / (of_a + of_b))
    return _Hypothesis(top + math.log(of_a + of_b), a.ready, a.waiting, a.owner, said)


def _mixed(a: _Said | None, b: _Said | None, share: float) -> _Said | None:
    """What two of equal length say, `share` of it from `a`."""
    if a is b or a is None or b is None:
        return a
    shares = a.shares
    if shares != b.shares:
        shares = {}
        _add(shares, a.shares, share)
        _add(shares, b.shares, 1.0 - share)
    return _Said(a.prompt, shares, _mixed(a.before, b.before, share))


def _add(to: dict[int, float], shares: dict[int, float], times: float) -> None:
    for call, share in shares.items():
        to[call] = to.get(call, 0.0) + share * times


def _after(said: _Said | None, last: int) -> _Said | None:
    """What is said of prompts after the `last` one."""
    if said is None or said.prompt <= last:
        return None
    return _Said(said.prompt, said.shares, _after(said.before, last))
