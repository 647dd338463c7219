"""Tools as servers have them, drawn at random: what they are given, what they ask, how long they work, what they say.

Three kinds of text. `full`: messages mostly name what the call was given, results often what was answered; values come
from pools, so that calls at once share some of them. `plain`: each tool has its own words, and no message or result
holds a value. `bare`: there is one tool; all messages are the same, there are no arguments, and every result is "ok".
"""

import math
from dataclasses import dataclass
from random import Random
from typing import Any

_VERBS = (
    "deploy",
    "refund",
    "invite",
    "delete",
    "publish",
    "book",
    "rotate",
    "merge",
    "ship",
    "archive",
    "pay",
    "move",
)
_NOUNS = ("service", "order", "member", "branch", "page", "room", "ticket", "bucket", "parcel", "invoice", "account")
_NAMES = ("lantern", "harbor", "meadow", "copper", "walnut", "summit", "orchid", "falcon", "cinder", "pebble", "tundra",
          "saffron", "juniper", "basalt", "willow", "marlin")  # fmt: skip
_PLACES = ("staging", "production", "canary")
_TEAMS = ("billing", "search", "mobile", "platform", "growth")
_TEXTS = (
    "Please confirm", "Which one should be used?", "A reason is needed", "Do you want to go on?", "Choose a value",
    "Who has to approve this?", "One more thing is missing", "Are you sure?", "Enter the details", "When?",
)  # fmt: skip
_FIELDS = ("confirm", "reason", "environment", "approver", "date", "amount", "comment", "choice", "name", "region")


@dataclass(frozen=True)
class Question:
    """`names`: the arguments that the message holds; `keeps`: whether it holds the answer before it."""

    text: str
    fields: tuple[str, ...]
    names: tuple[str, ...] = ()
    keeps: bool = False
    free: bool = False  # the answer is typed, not chosen


@dataclass(frozen=True)
class Tool:
    """`work_us`: the median time before each step (0: none); `parallel`: all questions at once."""

    name: str
    arguments: tuple[str, ...]
    questions: tuple[Question, ...]
    work_us: tuple[float, ...]
    parallel: bool = False
    blocking: bool = False  # its work holds up a server that has one loop
    insists: bool = False  # asks once more after a refusal
    names: tuple[str, ...] = ()  # the arguments that its result holds
    echoes: bool = False  # its result holds the answers
    says_action: bool = False  # its result says accepted, declined or cancelled


def draw(rng: Random, text: str, count: int, parallel: float) -> list[Tool]:
    """The tools of one server; `parallel` is the share of those that ask all they ask at once."""
    if text == "bare":
        works = _works(rng, 3)
        asked = tuple(Question("Please confirm", ("confirm",)) for _ in range(rng.choice((1, 2, 2))))
        return [Tool("ask", (), asked, works, rng.random() < parallel, rng.random() < 0.1)]
    verbs, nouns = rng.sample(_VERBS, count), [rng.choice(_NOUNS) for _ in range(count)]
    return [_tool(rng, text, f"{verb}_{noun}", parallel) for verb, noun in zip(verbs, nouns, strict=True)]


def _tool(rng: Random, text: str, name: str, parallel: float) -> Tool:
    full = text == "full"
    arguments = tuple(
        rng.sample(("name", "place", "team", "number", "email", "count", "note"), rng.choice((1, 2, 2, 3)))
    )
    questions = []
    for n in range(rng.choice((0, 1, 1, 1, 2, 2, 3))):
        named = tuple(a for a in arguments if rng.random() < 0.6) if full and rng.random() < 0.8 else ()
        said = (
            f"{name.replace('_', ' ').capitalize()}: {rng.choice(_TEXTS)}" if rng.random() < 0.5 else rng.choice(_TEXTS)
        )
        fields = tuple(rng.sample(_FIELDS, rng.choice((1, 1, 2))))
        questions.append(Question(said, fields, named, full and n > 0 and rng.random() < 0.25, rng.random() < 0.4))
    return Tool(
        name, arguments, tuple(questions), _works(rng, len(questions) + 1), rng.random() < parallel,
        rng.random() < 0.15, rng.random() < 0.2, tuple(a for a in arguments if rng.random() < 0.5) if full else (),
        full and rng.random() < 0.5, full and rng.random() < 0.3,
    )  # fmt: skip


def _works(rng: Random, steps: int) -> tuple[float, ...]:
    """Half of the steps only compute; the others fetch something first, for 5 ms to 3 s."""
    return tuple(
        math.exp(rng.uniform(math.log(5e3), math.log(3e6))) if rng.random() < 0.5 else 0.0 for _ in range(steps)
    )


def arguments(rng: Random, tool: Tool) -> dict[str, Any]:
    """What a call is given."""
    drawn = {
        "name": rng.choice(_NAMES), "place": rng.choice(_PLACES), "team": rng.choice(_TEAMS),
        "number": f"{rng.choice('ABC')}-{rng.randrange(1000, 9999)}", "email": f"{rng.choice(_NAMES)}@example.com",
        "count": rng.randrange(1, 40), "note": " ".join(rng.sample(_NAMES, 3)),
    }  # fmt: skip
    return {a: drawn[a] for a in tool.arguments}


def message(q: Question, given: dict[str, Any], before: str) -> str:
    """The text of a prompt."""
    named = " ".join(f"({a} {given[a]})" for a in q.names)
    return " ".join(part for part in (q.text, named, f"after {before}" if q.keeps and before else "") if part)


def schema(q: Question) -> dict[str, Any]:
    """What a prompt wants to be answered."""
    return {"type": "object", "properties": {f: {"type": "string"} for f in q.fields}, "required": [q.fields[0]]}


def content(rng: Random, q: Question) -> dict[str, Any]:
    """What a person answers."""
    chosen = (*_PLACES, *_TEAMS, "yes", "no", "later", "tomorrow")
    return {f: f"{rng.choice(_NAMES)} {rng.randrange(100, 999)}" if q.free else rng.choice(chosen) for f in q.fields}


def result(tool: Tool, given: dict[str, Any], answers: list[tuple[str, str]]) -> str:
    """What a call comes to; `answers` are (action, content as text)."""
    if tool.name == "ask":
        return "ok"
    parts = ["done"] + [f"{a}={given[a]}" for a in tool.names]
    if tool.echoes:
        parts += [text for _, text in answers if text]
    if tool.says_action and answers:
        parts.append({"accept": "accepted", "decline": "declined by the user", "cancel": "cancelled"}[answers[-1][0]])
    return ", ".join(parts)
