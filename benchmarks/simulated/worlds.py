"""Servers and clients in simulated time.

Rules. A server's step waits for its work, then for the server itself: one event loop takes one step after another,
threads and goroutines run beside each other, and any of them is held up now and then. A client shows prompts one after
another or all at once; a person thinks for a time that is log-normal. The recorder may lose a message.
"""

import heapq
import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from . import tools
from .tools import Tool

_TIMED_OUT = "Timed out while waiting for response"
Steps = Generator[tuple[str, Any], Any, str]


@dataclass(frozen=True)
class Server:
    """`step_us`: the median time of one step; `loop`: whether there is one event loop; `stalls`: the share of steps
    that are held up for 20–300 ms; `stops`: whether a cancelled call ends; `timeout_us`: how long it waits for an
    answer; `withdraws`: whether it tells the client when it waits no longer."""

    step_us: float
    spread: float
    loop: bool
    stalls: float
    stops: bool
    timeout_us: float | None
    withdraws: bool


SERVERS = {
    "python": Server(2_500, 0.6, True, 0.02, True, None, False),
    "python 2": Server(2_000, 0.6, True, 0.02, True, 120e6, True),
    "fastmcp threads": Server(4_000, 0.9, False, 0.06, True, None, False),
    "node": Server(700, 0.6, True, 0.01, False, 60e6, True),
    "go": Server(250, 0.8, False, 0.005, True, None, False),
    "rust": Server(150, 0.6, False, 0.003, False, 90e6, False),
}


@dataclass(frozen=True)
class Client:
    """`at_once`: calls under way; `bursts`: whether they begin together, or a new one when one has ended. `think_us`:
    median time to answer; `one_by_one`: prompts are shown one after another. The rest are shares: of prompts never
    answered, of prompts whose call is cancelled, of calls after which something asks on its own, of messages lost."""

    at_once: int
    bursts: bool
    think_us: float
    one_by_one: bool
    silent: float = 0.01
    cancels: float = 0.01
    background: float = 0.005
    lost: float = 0.001


@dataclass
class Line:
    """A message on the wire. `call` is the number of the call that a prompt belongs to, or that a request begins."""

    ts_us: int
    direction: str
    message: dict[str, Any]
    call: int | None = None


@dataclass
class _Run:
    number: int
    tool: Tool
    given: dict[str, Any]
    steps: Steps
    open: dict[int, int] = field(default_factory=dict)  # prompt to its place among those that were asked together
    awaited: int = 0  # how many those are
    got: dict[int, tuple[str, str]] = field(default_factory=dict)
    step: int = 0
    cancelled: bool = False
    over: bool = False


class Session:
    """One session; `lines` is what the recorder saw."""

    def __init__(self, rng: Random, server: Server, client: Client, given: list[Tool], calls: int) -> None:
        self._rng, self._server, self._client, self._tools, self._left = rng, server, client, given, calls
        self._ahead: list[tuple[int, int, Callable[[], None]]] = []
        self._order = self._now = self._busy = self._calls = self._prompts = self._under_way = 0
        self._shown: list[Callable[[], None]] = []
        self._runs: dict[int, _Run] = {}
        self._asked: dict[int, tuple[_Run | None, tools.Question]] = {}
        self.lines: list[Line] = []
        self._say(
            "c2s",
            {
                "id": "init",
                "method": "initialize",
                "params": {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"elicitation": {"form": {}}},
                    "clientInfo": {"name": "sim"},
                },
            },
        )
        self._say("s2c", {"id": "init", "result": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {
            "name": "simulated", "version": "1"}}})  # fmt: skip
        self._more()
        while self._ahead:
            self._now, _, act = heapq.heappop(self._ahead)
            act()

    def _at(self, ts_us: float, act: Callable[[], None]) -> None:
        self._order += 1
        heapq.heappush(self._ahead, (max(round(ts_us), self._now), self._order, act))

    def _about(self, median: float, spread: float) -> float:
        return self._rng.lognormvariate(math.log(median), spread)

    def _say(self, direction: str, message: dict[str, Any], call: int | None = None) -> None:
        if self.lines and "id" in message and self._rng.random() < self._client.lost:
            return
        self.lines.append(Line(self._now, direction, {"jsonrpc": "2.0", **message}, call))

    # The client's side

    def _more(self) -> None:
        """Begin calls: all at once, or one for each that has ended."""
        if self._client.bursts and self._under_way:
            return
        at = float(self._now)
        while self._left and self._under_way < self._client.at_once:
            self._left -= 1
            self._under_way += 1
            at += self._about(400, 1.0) if self._client.bursts or not self._calls else self._about(300_000, 1.2)
            self._at(at, self._begin)

    def _begin(self) -> None:
        tool = self._rng.choice(self._tools)
        given = tools.arguments(self._rng, tool)
        self._calls += 1
        run = _Run(self._calls, tool, given, _script(tool, given))
        self._runs[run.number] = run
        self._say("c2s", {"id": run.number, "method": "tools/call", "params": {
            "name": tool.name, "arguments": given, "_meta": {"progressToken": run.number}}}, run.number)  # fmt: skip
        self._go(run, None)

    def _show(self, prompt: int) -> None:
        """A prompt has come to the client."""
        if self._rng.random() < self._client.silent:
            return
        think = self._about(self._client.think_us, 1.0)
        if not self._client.one_by_one:
            self._at(self._now + think, lambda: self._answer(prompt))
            return

        def shown() -> None:
            self._at(self._now + think, lambda: (self._answer(prompt), self._shown.pop(0), self._next())[0])

        self._shown.append(shown)
        if len(self._shown) == 1:
            shown()

    def _next(self) -> None:
        if self._shown:
            self._shown[0]()

    def _answer(self, prompt: int) -> None:
        run, q = self._asked.pop(prompt, (None, None))
        if q is None:
            return  # withdrawn
        action = self._rng.choices(("accept", "decline", "cancel"), (0.75, 0.15, 0.1))[0]
        body = {"content": tools.content(self._rng, q)} if action == "accept" else {}
        self._say("c2s", {"id": prompt, "result": {"action": action, **body}})
        if run is not None and not run.over and prompt in run.open:
            self._got(run, prompt, action, " ".join(body.get("content", {}).values()))

    def _cancel(self, run: _Run) -> None:
        if run.over or not run.open:
            return
        run.cancelled = True
        self._say(
            "c2s", {"method": "notifications/cancelled", "params": {"requestId": run.number, "reason": "stopped"}}
        )
        if self._server.stops:
            run.over = True
            for prompt in run.open if self._server.withdraws else ():
                self._withdraw(prompt, "caller cancelled")
        self._ended()

    # The server's side

    def _go(self, run: _Run, value: Any) -> None:
        """A step of a call: its work, then the server."""
        median = run.tool.work_us[min(run.step, len(run.tool.work_us) - 1)]
        run.step += 1
        work = self._about(median, 0.4) if median else 0.0
        if run.tool.blocking and self._server.loop:
            self._busy = max(self._busy, self._now) + round(work)
            work = 0.0
        self._at(self._now + work, lambda: self._turn(lambda: self._act(run, value)))

    def _turn(self, act: Callable[[], None]) -> None:
        takes = self._about(self._server.step_us, self._server.spread)
        if self._rng.random() < self._server.stalls:
            takes += self._rng.uniform(20e3, 300e3)
        if self._server.loop:
            self._busy = max(self._busy, self._now) + round(takes)
            self._at(self._busy, act)
        else:
            self._at(self._now + takes, act)

    def _act(self, run: _Run, value: Any) -> None:
        if run.over:
            return
        try:
            kind, wanted = run.steps.send(value)
        except StopIteration as end:
            self._finish(run, end.value)
            return
        assert kind == "ask"
        run.got, run.awaited = {}, len(wanted)
        for place, question in enumerate(wanted):
            if place:
                self._turn(lambda place=place, question=question: self._ask(run, place, question))  # type: ignore[misc]
            else:
                self._ask(run, place, question)
        if self._rng.random() < self._client.cancels:
            self._at(self._now + self._about(self._client.think_us / 2, 1.0), lambda: self._cancel(run))

    def _ask(self, run: _Run | None, place: int, question: tuple[tools.Question, str]) -> None:
        q, text = question
        prompt, self._prompts = self._prompts, self._prompts + 1
        if run is not None:
            run.open[prompt] = place
        self._asked[prompt] = run, q
        params = {"mode": "form", "message": text, "requestedSchema": tools.schema(q)}
        call = run.number if run else None
        self._say("s2c", {"id": prompt, "method": "elicitation/create", "params": params}, call)
        if self._server.timeout_us is not None and run is not None:
            self._at(self._now + self._server.timeout_us, lambda: self._expire(run, prompt))
        self._show(prompt)

    def _got(self, run: _Run, prompt: int, action: str, text: str) -> None:
        run.got[run.open.pop(prompt)] = action, text
        if len(run.got) == run.awaited:
            self._go(run, [run.got[n] for n in sorted(run.got)])

    def _expire(self, run: _Run, prompt: int) -> None:
        if run.over or prompt not in run.open:
            return
        if self._server.withdraws:
            self._withdraw(prompt, "Request timed out")
        self._turn(lambda: self._finish(run, _TIMED_OUT, failed=True))

    def _withdraw(self, prompt: int, reason: str) -> None:
        if self._asked.pop(prompt, None):
            self._say("s2c", {"method": "notifications/cancelled", "params": {"requestId": prompt, "reason": reason}})

    def _finish(self, run: _Run, text: str, failed: bool = False) -> None:
        if run.over:
            return
        run.over = True
        if not run.cancelled:
            self._say(
                "s2c", {"id": run.number, "result": {"content": [{"type": "text", "text": text}], "isError": failed}}
            )
            self._ended()
        if self._rng.random() < self._client.background and run.tool.questions:
            q = self._rng.choice(run.tool.questions)
            text = tools.message(q, run.given, "")
            self._at(self._now + self._about(500_000, 1.0), lambda: self._ask(None, 0, (q, text)))

    def _ended(self) -> None:
        self._under_way -= 1
        self._more()


def _script(tool: Tool, given: dict[str, Any]) -> Steps:
    """What a call does: asks, all at once or in turn, and comes to a result."""
    answers: list[tuple[str, str]] = []
    if tool.parallel and len(tool.questions) > 1:
        answers += yield "ask", [(q, tools.message(q, given, "")) for q in tool.questions]
        return tools.result(tool, given, answers)
    for q in tool.questions:
        asked = q, tools.message(q, given, answers[-1][1] if answers else "")
        answers += yield "ask", [asked]
        if answers[-1][0] != "accept" and tool.insists:
            answers += yield "ask", [asked]
        if answers[-1][0] != "accept":
            break
    return tools.result(tool, given, answers)
