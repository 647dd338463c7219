"""A simulated session as a file that can be imported, and as inference gets it from the analysis."""

import json
from dataclasses import dataclass
from typing import Any

from auditor.analysis.replies import TIMED_OUT
from auditor.analysis.settings import Settings
from auditor.analysis.words import of_answer, of_call, of_result, payload, template
from auditor.attribution.model import Call, Prompt

from .worlds import Line

_EPOCH_US = 1_700_000_000_000_000


@dataclass
class View:
    """`truth`: place of a prompt to the place of its call; None when it has none that was recorded."""

    calls: list[Call]
    prompts: list[Prompt]
    truth: dict[int, int | None]


def text(line: Line) -> str:
    return json.dumps(line.message, separators=(",", ":"), ensure_ascii=False)


def trace(lines: list[Line], name: str) -> str:
    """The session as a file that `auditor import` takes."""
    start = {"ts": _EPOCH_US / 1e6, "ev": "start", "cmd": [name], "pid": 1}
    rows: list[dict[str, Any]] = [start]
    rows += [{"ts": (_EPOCH_US + n.ts_us) / 1e6, "dir": n.direction, "raw": text(n)} for n in lines]
    end = (_EPOCH_US + lines[-1].ts_us + 1000) / 1e6
    rows += [{"ts": end, "ev": "eof", "dir": d} for d in ("c2s", "s2c")] + [{"ts": end, "ev": "exit", "rc": 0}]
    return "".join(json.dumps(row) + "\n" for row in rows)


def view(lines: list[Line], first: int = 1) -> View:
    """Calls and prompts of a session, as the analysis hands them to inference; the first line is at place `first`."""
    asked: dict[tuple[str, Any], int] = {}
    answers: dict[int, int] = {}
    cancels: dict[int, int] = {}
    for n, line in enumerate(lines):
        m, other = line.message, "s2c" if line.direction == "c2s" else "c2s"
        if m.get("method") == "notifications/cancelled":
            mine = asked.get((line.direction, m["params"]["requestId"]))
            if mine is not None:
                cancels.setdefault(mine, n)
        elif "method" in m:
            asked[line.direction, m["id"]] = n
        elif (mine := asked.get((other, m["id"]))) is not None:
            answers.setdefault(mine, n)
    end = len(lines)
    ts = [_EPOCH_US + line.ts_us for line in lines] + [_EPOCH_US + lines[-1].ts_us + 1000]
    places = {line.call: n for n, line in enumerate(lines) if line.message.get("method") == "tools/call"}
    spans: dict[int, tuple[int, str]] = {}
    replies = [(a, n) for n, a in answers.items() if lines[n].direction == "s2c"]
    calls, prompts, truth = [], [], {}
    for n, line in enumerate(lines):
        method, m = line.message.get("method"), line.message
        if method not in ("tools/call", "elicitation/create"):
            continue
        answer, cancelled = answers.get(n), cancels.get(n)
        over = min((at, why) for at, why in ((answer, "answer"), (cancelled, "cancelled"), (end, "session_end"))
                   if at is not None)  # fmt: skip
        said = text(lines[answer]) if answer is not None else None
        withdrawn = cancelled + first if cancelled is not None else None
        if method == "tools/call":
            failed = answer is not None and lines[answer].message["result"].get("isError")
            cause = "error" if failed and over[1] == "answer" else over[1]
            spans[n] = over
            tool, late = m["params"]["name"], answer is not None and over[1] == "cancelled"
            calls.append(Call(
                n + first, ts[n], over[0] + first, ts[over[0]], cause, withdrawn, tool, of_call(text(line), tool),
                of_result(said), None, str(m["id"]), (answer or 0) + first if late else None,
                bool(failed and said and TIMED_OUT.search(said)),
            ))  # fmt: skip
            continue
        parent = places.get(line.call) if line.call is not None else None
        truth[n + first] = parent + first if parent is not None else None
        closed = over[0] if over[1] != "session_end" else None
        params = m["params"]
        action = lines[answer].message["result"]["action"] if answer is not None else None
        prompts.append(Prompt(
            n + first, 0, ts[n],
            answer + first if answer is not None else None, ts[answer] if answer is not None else None,
            closed + first if closed is not None else None, ts[closed] if closed is not None else None,
            withdrawn, None, action, payload(text(line)), of_answer(said, action),
            template(params["message"], json.dumps(params["requestedSchema"])), None,
            _only(spans, n, ts, first, replies),
        ))  # fmt: skip
    return View(calls, prompts, truth)


def _only(
    spans: dict[int, tuple[int, str]], at: int, ts: list[int], first: int, answered: list[tuple[int, int]]
) -> int | None:
    """The one call that was open; None when there were several, or one was just cancelled."""
    able = [n for n, (end, _) in spans.items() if end > at]
    grace = Settings().cancel_grace_s * 1e6
    stopped = [end for end, why in spans.values() if end < at and why == "cancelled"]
    causes = stopped + [a for a, asked in answered if a < at and any(asked < end < a for end in stopped)]
    return able[0] + first if len(able) == 1 and not any(ts[at] - ts[n] < grace for n in causes) else None
