"""Untangling a session: which call each prompt belongs to.

Rules. A session may be endless, so it is read once, in recorded order, and untangled some prompts at a time: up to a
moment in which nothing is open, or, where that does not come, together with those before and after them. Calls that
never end pile up; the latest are weighed one by one, and all before them together, as a crowd.
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence

from auditor.attribution.conclude import conclude
from auditor.attribution.model import NOBODY, Attribution, Call, Learned, Prompt
from auditor.attribution.sample import Asked, Stretch

_SOME = 128  # prompts that are settled at once where a stretch does not end, and
_AROUND = 32  # how many before and after them are weighed along
_LASTING = 16  # calls that never end that are weighed one by one, and
_LATEST = 4  # how many where more than these have come together
_FORGOTTEN_US = 600_000_000  # how long a cancelled call is held, should a prompt of its own still be answered
GRACE_US = 2_000_000  # how long after its cancellation, or after an answer to it, a cancelled call may still ask


def attribute(
    calls: Sequence[Call], prompts: Sequence[Prompt], learned: Learned | None = None, threshold: float = 0.9
) -> list[Attribution]:
    """Attribute the prompts of one session that are not fixed; in the order of `seq`.

    `deduced` when one call alone was open, `none` when none was; else `inferred` when one has at least `threshold` of
    the weight, and `ambiguous` with all weights when not.
    """
    ordered = sorted(prompts, key=lambda p: (p.seq, p.item))
    items: list[Call | Prompt] = sorted([*calls, *ordered], key=lambda item: item.seq)
    return list(untangle(items, learned or Learned(), threshold))


def untangle(
    items: Iterable[Call | Prompt], learned: Learned, threshold: float, grace_us: int = GRACE_US
) -> Iterator[Attribution]:
    """The same of a session of any length, whose calls and prompts come in the order of `seq`."""
    session = _Session(learned, threshold, grace_us)
    for item in items:
        session.feed(item)
        yield from session.found
        session.found.clear()
    session.finish()
    yield from session.found


class _Session:
    """One session under way; `found` is what can be said so far."""

    def __init__(self, learned: Learned, threshold: float, grace_us: int) -> None:
        self._learned, self._threshold, self._grace_us = learned, threshold, grace_us
        self._calls: dict[int, Call] = {}  # those that may have asked a prompt at hand, or may still ask
        self._open: dict[int, None] = {}  # those that may still ask
        self._ends: list[tuple[int, int]] = []  # (where, which) of those that end
        self._lasting: dict[int, None] = {}  # those that never end
        self._crowd = 0  # how many more of these there are
        self._until_us: dict[int, int] = {}  # calls that are cancelled, and until when they may still ask
        self._answers: list[tuple[int, int, list[int]]] = []  # (when, number, calls that may go on then)
        self._since: dict[int, int] = {}  # when a prompt of a call that is no longer at hand was answered
        self._prompts: list[Asked] = []
        self._now_us: int | None = None
        self._number = 0
        self.found: list[Attribution] = []

    def feed(self, item: Call | Prompt) -> None:
        """A call begins, or a prompt is asked."""
        while self._ends and self._ends[0][0] <= item.seq:
            self._open.pop(heapq.heappop(self._ends)[1], None)
        self._now_us = item.ts_us if self._now_us is None else max(self._now_us, item.ts_us)
        self._hear(item)
        if len(self._prompts) >= _SOME and not self._open and not any(a.open_at(item.seq) for a in self._prompts):
            self._weigh(len(self._prompts))
            self._prompts.clear()
            self._calls.clear()
            self._since.clear()
        if isinstance(item, Call):
            self._start(item)
        else:
            self._ask(item)

    def finish(self) -> None:
        """Nothing more comes."""
        self._weigh(len(self._prompts))

    def _start(self, c: Call) -> None:
        self._calls[c.seq] = c
        self._open[c.seq] = None
        end = c.late_seq if c.end_cause == "cancelled" else c.end_seq
        if end is not None:
            heapq.heappush(self._ends, (end, c.seq))
        if c.end_cause == "cancelled":
            self._until_us[c.seq] = (c.end_us or c.ts_us) + self._grace_us
        elif c.end_cause in ("open", "session_end"):
            self._lasting[c.seq] = None
            while len(self._lasting) > (_LATEST if self._crowd else _LASTING):
                oldest = next(iter(self._lasting))
                del self._lasting[oldest]
                self._open.pop(oldest, None)
                self._crowd += 1

    def _hear(self, item: Call | Prompt) -> None:
        """A cancelled call may go on when a prompt was answered that may be its own; at last it is taken for over."""
        while self._answers and self._answers[0][0] <= item.ts_us:
            when, _, calls = heapq.heappop(self._answers)
            for c in calls:
                self._until_us[c] = max(self._until_us.get(c, 0), when + self._grace_us)
        for c in [c for c, until in self._until_us.items() if until + _FORGOTTEN_US < item.ts_us]:
            self._open.pop(c, None)
            del self._until_us[c]

    def _able(self, call: int, p: Prompt) -> bool:
        c = self._calls[call]
        late = c.end_cause == "cancelled" and c.end_seq is not None and c.end_seq < p.seq
        return not late or p.ts_us < self._until_us.get(call, 0)

    def _ask(self, p: Prompt) -> None:
        able = [c for c in self._open if self._able(c, p)]
        self._prompts.append(Asked(p, able, self._crowd))
        cancelled = [c for c in able if c in self._until_us]
        if cancelled and p.answer_us is not None:
            self._number += 1
            heapq.heappush(self._answers, (p.answer_us, self._number, cancelled))
        settled = sum(a.settled for a in self._prompts)
        if len(self._prompts) - settled >= _SOME + _AROUND:
            self._weigh(settled + _SOME)
            self._forget()

    def _weigh(self, until: int) -> None:
        """Settle the prompts up to that one."""
        now = [a for a in self._prompts[:until] if not a.settled]
        if any(a.prompt.fixed is None for a in now):
            shares = Stretch(self._prompts, self._calls, self._learned, self._since, self._now_us or 0).shares()
            last: dict[int, Prompt] = {}  # of each call, the latest prompt so far
            for a, share in zip(self._prompts[:until], shares[:until], strict=True):
                a.owner = max(share, key=lambda c: (share[c], -c), default=NOBODY)
                if not a.settled and a.prompt.fixed is None:
                    every, before = dict.fromkeys(a.able, 0.0) | share, last.get(a.owner)
                    if before is not None and (before.closed_seq is None or before.closed_seq > a.prompt.seq):
                        before = None
                    told = a.prompt, every, self._calls, a.crowd, self._threshold, before, self._learned
                    self.found.append(conclude(*told))
                if a.owner >= 0:
                    last[a.owner] = a.prompt
        for a in now:
            a.settled = True

    def _forget(self) -> None:
        """Let go of prompts that are too far back to matter, and of calls that none at hand may belong to."""
        settled = sum(a.settled for a in self._prompts)
        first = max(0, settled - _AROUND)
        seq = self._prompts[first].prompt.seq
        kept = [a for a in self._prompts[:first] if a.open_at(seq)][-_AROUND:]
        held = {id(a) for a in kept}
        for a in self._prompts[:first]:
            if id(a) not in held and a.owner >= 0 and a.prompt.closed_us is not None:
                self._since[a.owner] = max(self._since.get(a.owner, 0), a.prompt.closed_us)
        self._prompts = kept + self._prompts[first:]
        needed = self._open.keys() | {c for a in self._prompts for c in a.able}
        self._calls = {c: call for c, call in self._calls.items() if c in needed}
        self._since = {c: us for c, us in self._since.items() if c in needed}
