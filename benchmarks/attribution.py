"""How often attribution is right, and how well it knows: simulated servers and clients, with the truth kept.

    python benchmarks/attribution.py [--seed N] [--sessions N] [--threshold X] [--check]

For each scenario: prompts that had a call while several were open, the share of them that were named, the share of
wrong ones among all that were named (prompts of no call among them), the expected calibration error of the weights
(ten bins), and how often three simple guesses are right: the latest call, the oldest, the oldest not yet asked. Then
accuracy by tier and the reliability table over all scenarios. `--check` exits 1 when a target is missed.

What is simulated is in `Kind` and `Simulation`: steps of the server that follow their cause after milliseconds or much
later, stalls in which everything waits, people who answer one prompt after another and clients that answer by
themselves, tools that ask once, in series or several at once, prompts of no call, answers that never come, and calls
that are cancelled.
"""

import argparse
import heapq
import itertools
import json
import math
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from auditor.analysis.words import payload, template, words
from auditor.attribution.infer import attribute
from auditor.attribution.model import Attribution, Call, Prompt

NOBODY = -1
VERBS = ("deploy", "restart", "archive", "migrate", "publish", "delete", "scale", "rotate")
THINGS = ("orbit", "falcon", "meadow", "cobalt", "ember", "quartz", "willow", "harbor", "saffron", "tundra")
FIELDS = ("environment", "branch", "region", "confirm", "reason", "replicas")
CHOICES = ("staging", "production", "canary", "eu-west", "us-east", "main", "release", "nightly", "yes", "no")


class Kind(NamedTuple):
    """A scenario. Shares are probabilities; `at_once` calls are kept open together, `calls` in all."""

    name: str
    at_once: int
    tools: int
    calls: int = 40
    text: float = 0.7  # tools whose prompts name what the call was about
    echo: float = 0.6  # tools whose results repeat what the user answered
    answers: str = "mixed"  # one by one, in any order (people, after seconds), by itself (within milliseconds)
    starts: str = "mixed"  # together (the next ones when all have ended), or one by one (one when another ends)
    step_ms: float = 0.0  # the median of a step from its cause; 0: from 1 to 50 ms, another in each session
    parallel: float = 0.05  # tools that ask all they ask at once
    background: float = 0.01  # prompts of no call, to one of a call
    unanswered: float = 0.02
    cancelled: float = 0.02  # calls that the client cancels while it waits
    work: float = 0.1  # steps that take long, 50 ms to 5 s
    stalls_per_s: float = 0.05


SCENARIOS = (
    Kind("1 call, 3 tools", 1, 3),
    Kind("2 calls, 3 tools", 2, 3),
    Kind("4 calls, 3 tools", 4, 3),
    Kind("8 calls, 3 tools", 8, 3),
    Kind("16 calls, 3 tools", 16, 3),
    Kind("8 calls, 8 tools", 8, 8),
    Kind("8 calls, one tool", 8, 1),
    Kind("8 calls, 3 tools, no text", 8, 3, text=0.0, echo=0.0),
    Kind("8 calls, one tool, no text", 8, 1, text=0.0, echo=0.0),
    Kind("together, in any order", 8, 3, answers="in any order", starts="together"),
    Kind("together, by itself", 8, 3, answers="by itself", starts="together"),
    Kind("one by one, one by one", 8, 3, answers="one by one", starts="one by one"),
    Kind("parallel prompts", 8, 3, parallel=0.6),
    Kind("many stalls", 8, 3, stalls_per_s=1.0),
    Kind("slow steps", 8, 3, step_ms=200.0, work=0.3),
    Kind("background prompts", 8, 3, background=0.1),
    Kind("losses", 8, 3, unanswered=0.15, cancelled=0.15),
)
ANSWERS, STARTS = ("one by one", "in any order", "by itself"), ("together", "one by one")


class Tool(NamedTuple):
    """`asks` fields one after another, or at once; `names` what the call was about; `echoes` the answers."""

    name: str
    asks: tuple[str, ...]
    at_once: bool
    names: bool
    echoes: bool


class Open:
    """A call under way."""

    def __init__(self, seq: int, ts_us: int, tool: Tool, thing: str, text: str) -> None:
        self.seq, self.ts_us, self.tool, self.thing, self.text = seq, ts_us, tool, thing, text
        self.left = list(tool.asks)
        self.waits: set[int] = set()
        self.answers: list[str] = []
        self.asked = False
        self.cancelled_seq: int | None = None
        self.cancelled_us: int | None = None
        self.end: tuple[int, int, str, str] | None = None  # seq, time, cause, text


class Asked:
    """A prompt; `owner` is the call that it belongs to."""

    def __init__(self, seq: int, ts_us: int, owner: int, message: str, schema: str, text: str) -> None:
        self.seq, self.ts_us, self.owner = seq, ts_us, owner
        self.message, self.schema, self.text = message, schema, text
        self.answer: tuple[int, int, str, str] | None = None  # seq, time, action, text
        self.withdrawn: tuple[int, int] | None = None
        self.open_calls: list[Open] = []


class Simulation:
    """One session: events in the order in which they pass the wire."""

    def __init__(self, kind: Kind, seed: str) -> None:
        self.kind, self.rnd = kind, random.Random(seed)
        self.now, self.seq, self.begun = 0, 0, 0
        self.free_us = 0  # when the person has time for the next prompt
        self.answers = self.rnd.choice(ANSWERS) if kind.answers == "mixed" else kind.answers
        self.starts = self.rnd.choice(STARTS) if kind.starts == "mixed" else kind.starts
        self.step = math.log(kind.step_ms * 1e3 or self.rnd.choice((1e3, 3e3, 10e3, 50e3)))
        self.calls: list[Open] = []
        self.prompts: list[Asked] = []
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._tools = [self._tool(n) for n in range(kind.tools)]
        self._stalls = self._make_stalls()

    def _tool(self, n: int) -> Tool:
        kind, rnd = self.kind, self.rnd
        fields = rnd.sample(FIELDS, rnd.choice((1, 1, 2, 3)))
        return Tool(
            f"{VERBS[n % len(VERBS)]}_service", tuple(fields), rnd.random() < kind.parallel, rnd.random() < kind.text,
            rnd.random() < kind.echo,
        )  # fmt: skip

    def _make_stalls(self) -> list[tuple[int, int]]:
        at, found = 0.0, []
        while self.kind.stalls_per_s and at < 3600:
            at += self.rnd.expovariate(self.kind.stalls_per_s)
            found.append((int(at * 1e6), int((at + self.rnd.uniform(0.03, 0.4)) * 1e6)))
        return found

    def _after(self, delay_us: float, what: Callable[[], None], *, server: bool = False) -> None:
        at = self.now + max(1, int(delay_us))
        if server:
            at = next((end + self.rnd.randint(1, 2000) for begin, end in self._stalls if begin <= at < end), at)
        heapq.heappush(self._events, (at, next(self._order), what))

    def _step_us(self) -> float:
        """How long a server takes from a cause to its step."""
        if self.rnd.random() < self.kind.work:
            return self.rnd.uniform(50e3, 5e6)
        return self.rnd.lognormvariate(self.step, 1.0)

    def _stamp(self) -> tuple[int, int]:
        self.seq += 1
        return self.seq, self.now

    def run(self) -> None:
        """Until nothing more happens."""
        self._begin()
        while self._events and self.seq < 20_000:
            self.now, _, what = heapq.heappop(self._events)
            what()

    def _begin(self) -> None:
        together = self.starts == "together"
        for _ in range(self.kind.at_once):
            self._after(self.rnd.uniform(0, 5e3 if together else 3e6), self._call)

    def _over(self) -> None:
        """A call is over, and there is room for others."""
        if self.starts == "one by one":
            self._after(self.rnd.uniform(1e3, 2e6), self._call)
        elif all(c.end is not None or c.cancelled_us is not None for c in self.calls):
            self._after(self.rnd.uniform(1e5, 5e6), self._begin)

    def _call(self) -> None:
        if self.begun >= self.kind.calls:
            return
        self.begun += 1
        tool, thing = self.rnd.choice(self._tools), f"{self.rnd.choice(THINGS)}-{self.rnd.randint(100, 999)}"
        arguments = {"service": thing, "dry_run": False} if self.kind.text else {}
        seq, ts_us = self._stamp()
        text = _message(id=seq, method="tools/call", params={"name": tool.name, "arguments": arguments})
        call = Open(seq, ts_us, tool, thing, text)
        self.calls.append(call)
        self._after(self._step_us(), lambda: self._next(call), server=True)
        if self.rnd.random() < self.kind.cancelled:
            self._after(self.rnd.uniform(1e6, 2e7), lambda: self._cancel(call))

    def _next(self, call: Open) -> None:
        """The server goes on with a call: it asks, or answers."""
        if call.end is not None or call.cancelled_us is not None:
            return
        if call.left:
            fields = list(call.left) if call.tool.at_once else call.left[:1]
            del call.left[: len(fields)]
            for field in fields:
                self._ask(call, field)
            return
        self._finish(call, "answer")

    def _finish(self, call: Open, cause: str) -> None:
        seq, ts_us = self._stamp()
        said = f"{call.tool.name} done" + (": " + " ".join(call.answers) if call.tool.echoes else "")
        call.end = seq, ts_us, cause, _message(id=call.seq, result={"content": [{"type": "text", "text": said}]})
        self._over()

    def _ask(self, call: Open | None, field: str) -> None:
        seq, ts_us = self._stamp()
        about = f" for {call.thing}" if call is not None and call.tool.names else ""
        message = f"Which {field}{about}?"
        schema = json.dumps({"type": "object", "properties": {field: {"type": "string"}}})
        text = _message(id=seq, method="elicitation/create", params={"message": message, "requestedSchema": schema})
        prompt = Asked(seq, ts_us, NOBODY if call is None else call.seq, message, schema, text)
        prompt.open_calls = [c for c in self.calls if c.end is None and c.cancelled_us is None]
        self.prompts.append(prompt)
        if call is not None:
            call.waits.add(seq)
            if self.rnd.random() < self.kind.background:
                self._after(self.rnd.uniform(0, 5e6), lambda: self._ask(None, "feedback"), server=True)
        if self.rnd.random() >= self.kind.unanswered:
            self._after(self._thinking_us(), lambda: self._answer(prompt, call))
        elif call is not None:
            self._after(60e6, lambda: self._time_out(prompt, call), server=True)

    def _thinking_us(self) -> float:
        if self.answers == "by itself":
            return self.rnd.lognormvariate(8.5, 0.8)  # a median of 5 ms
        thought = self.rnd.lognormvariate(15.2, 0.8)  # a median of 4 s
        if self.answers == "in any order":
            return thought
        self.free_us = max(self.now, self.free_us) + int(thought)
        return self.free_us - self.now

    def _answer(self, prompt: Asked, call: Open | None) -> None:
        if prompt.withdrawn is not None:
            return
        seq, ts_us = self._stamp()
        action = self.rnd.choices(("accept", "decline", "cancel"), (8, 1, 1))[0]
        content = {"value": f"{self.rnd.choice(CHOICES)}-{self.rnd.randint(10, 99)}"} if action == "accept" else {}
        prompt.answer = seq, ts_us, action, _message(id=prompt.seq, result={"action": action, "content": content})
        if call is None:
            return
        call.waits.discard(prompt.seq)
        call.answers += content.values()
        if action != "accept":
            call.left.clear()
        if not call.waits:
            self._after(self._step_us(), lambda: self._next(call), server=True)

    def _time_out(self, prompt: Asked, call: Open) -> None:
        if call.end is None and call.cancelled_us is None:
            prompt.withdrawn = self._stamp()
            self._finish(call, "error")

    def _cancel(self, call: Open) -> None:
        if call.end is not None:
            return
        call.cancelled_seq, call.cancelled_us = self._stamp()
        for prompt in self.prompts:
            if prompt.seq in call.waits and self.rnd.random() < 0.5:
                self._after(self._step_us(), lambda p=prompt: self._withdraw(p), server=True)  # type: ignore[misc]
        self._over()

    def _withdraw(self, prompt: Asked) -> None:
        if prompt.answer is None:
            prompt.withdrawn = self._stamp()

    def seen(self) -> tuple[list[Call], list[Prompt]]:
        """What analysis would read of it."""
        return [_call(c) for c in self.calls], [_prompt(p) for p in self.prompts]


def _message(**body: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", **body})


def _call(c: Open) -> Call:
    if c.cancelled_seq is not None:
        seq, ts_us, cause, text = c.cancelled_seq, c.cancelled_us, "cancelled", None
    else:
        seq, ts_us, cause, text = c.end or (None, None, "open", None)  # type: ignore[assignment]
    return Call(
        c.seq, c.ts_us, seq, ts_us, cause, c.cancelled_seq, c.tool.name, payload(c.text), words(text), rpc_id=str(c.seq)
    )


def _prompt(p: Asked) -> Prompt:
    seq, ts_us, action, text = p.answer or (None, None, None, None)
    closed = (seq, ts_us) if p.answer else (p.withdrawn or (None, None))
    return Prompt(
        p.seq, 0, p.ts_us, seq, ts_us, *closed, p.withdrawn[0] if p.withdrawn else None, None, action, payload(p.text),
        payload(text), template(p.message, p.schema),
    )  # fmt: skip


class Score:
    """What was said of prompts, against the truth. `several` counts those asked while several calls were open."""

    def __init__(self) -> None:
        self.several = self.named = self.wrong = self.certain_wrong = 0
        self.guesses = [0, 0, 0]
        self.tiers: dict[str, list[int]] = {}
        self.bins = [[0, 0, 0.0] for _ in range(10)]

    def add(self, prompt: Asked, said: Attribution) -> None:
        """Count one prompt."""
        right = said.parent == prompt.owner if said.parent is not None else prompt.owner == NOBODY
        tier = self.tiers.setdefault(said.tier, [0, 0])
        tier[0] += 1
        tier[1] += right
        if said.tier == "deduced" and not right and prompt.owner != NOBODY:
            self.certain_wrong += 1
        if said.tier in ("inferred", "ambiguous") and said.candidates:
            best, weight = said.candidates[0]
            into = self.bins[min(9, int(weight * 10))]
            into[0] += 1
            into[1] += best == prompt.owner
            into[2] += weight
        if len(prompt.open_calls) < 2:
            return
        if said.parent is not None:
            self.named += prompt.owner != NOBODY
            self.wrong += said.parent != prompt.owner
        if prompt.owner == NOBODY:
            return
        self.several += 1
        calls = prompt.open_calls
        fresh = [c for c in calls if not c.asked] or calls
        for n, guess in enumerate((calls[-1], calls[0], fresh[0])):
            self.guesses[n] += guess.seq == prompt.owner

    def merge(self, other: "Score") -> None:
        """Add what another counted."""
        for name in ("several", "named", "wrong", "certain_wrong"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.guesses = [a + b for a, b in zip(self.guesses, other.guesses, strict=True)]
        for tier, (n, right) in other.tiers.items():
            mine = self.tiers.setdefault(tier, [0, 0])
            mine[0] += n
            mine[1] += right
        self.bins = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(self.bins, other.bins, strict=True)]

    @property
    def ece(self) -> float:
        """Expected calibration error."""
        total = sum(n for n, _, _ in self.bins)
        return sum(abs(right - weight) for _, right, weight in self.bins) / total if total else 0.0


def score(kind: Kind, sessions: int, seed: int, threshold: float) -> Score:
    """Simulate sessions of a kind and attribute their prompts."""
    found = Score()
    for n in range(sessions):
        session = Simulation(kind, f"{seed} {kind.name} {n}")
        session.run()
        said = {a.seq: a for a in attribute(*session.seen(), threshold=threshold)}
        for prompt in session.prompts:
            found.add(prompt, said[prompt.seq])
            for call in prompt.open_calls:
                call.asked = call.asked or call.seq == prompt.owner
    return found


def _row(name: str, s: Score) -> str:
    n = max(1, s.several)
    latest, oldest, fresh = (100 * g / n for g in s.guesses)
    wrong = 100 * s.wrong / max(1, s.named)
    return (
        f"{name:30} {s.several:6} {100 * s.named / n:6.1f} % {wrong:6.2f} % {s.ece:6.3f}"
        f"   {latest:4.0f} % {oldest:4.0f} % {fresh:4.0f} %"
    )


def report(scores: dict[str, Score]) -> Iterator[str]:
    """The tables."""
    yield f"{'scenario':30} {'asked':>6} {'named':>8} {'wrong':>8} {'ECE':>6}   latest oldest fresh"
    total = Score()
    for name, s in scores.items():
        yield _row(name, s)
        total.merge(s)
    yield _row("all", total)
    yield ""
    for tier, (n, right) in sorted(total.tiers.items()):
        yield f"{tier:10} {n:7} prompts, {100 * right / n:6.2f} % right"
    yield f"certain and wrong: {total.certain_wrong}"
    yield ""
    for n, right, weight in total.bins:
        if n:
            yield f"weight {weight / n:.3f}: {right / n:.3f} right ({n:.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=12, help="of each scenario, 40 calls each")
    parser.add_argument("--threshold", type=float, default=0.9)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    scores = {kind.name: score(kind, given.sessions, given.seed, given.threshold) for kind in SCENARIOS}
    sys.stdout.write("\n".join(report(scores)) + "\n")
    usual, plain = scores["8 calls, 3 tools"], scores["8 calls, one tool, no text"]
    met = (
        usual.named >= 0.9 * usual.several
        and usual.wrong <= 0.02 * usual.named
        and usual.ece <= 0.05
        and plain.wrong <= 0.05 * plain.named
        and not sum(s.certain_wrong for s in scores.values())
    )
    if given.check and not met:
        sys.exit("a target is missed")


if __name__ == "__main__":
    main()
