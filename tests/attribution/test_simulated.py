"""Simulated sessions, whose truth is known; the seeds are fixed, so that the figures are the same each time."""

import pytest

from auditor.attribution.infer import attribute
from benchmarks.simulated import sessions
from benchmarks.simulated.views import View, view
from benchmarks.simulated.worlds import SERVERS


def simulated(seed: str, text: str = "full", at_once: int = 8, calls: int = 48, **given: object) -> View:
    return view(sessions.lines(seed, text, at_once, 1 if text == "bare" else 3, calls, **given))


def figures(text: str, at_once: int, **given: object) -> tuple[float, float]:
    """The shares of prompts that were named, and of the wrong ones among these."""
    several = named = wrong = 0
    for seed in range(5):
        seen = simulated(f"figures {seed}", text, at_once, **given)
        found = {a.seq: a for a in attribute(seen.calls, seen.prompts)}
        several += len(found)
        parents = {seq: a.parent for seq, a in found.items() if a.parent is not None}
        named += len(parents)
        wrong += sum(parent != seen.truth[seq] for seq, parent in parents.items())
    return named / several, wrong / max(1, named)


@pytest.mark.parametrize(("text", "at_once", "least", "most"), [
    ("full", 2, 0.95, 0.02), ("full", 8, 0.9, 0.02), ("plain", 4, 0.8, 0.03), ("bare", 8, 0.7, 0.05),
])  # fmt: skip
def test_most_are_named_and_few_of_them_wrong(text: str, at_once: int, least: float, most: float) -> None:
    named, wrong = figures(text, at_once)
    assert named >= least
    assert wrong <= most


@pytest.mark.parametrize("server", SERVERS)
def test_on_every_kind_of_server(server: str) -> None:
    named, wrong = figures("full", 6, server=server)
    assert named >= 0.85
    assert wrong <= 0.03


@pytest.mark.parametrize(
    "given", [{"parallel": 1.0}, {"cancels": 0.3}, {"silent": 0.15}, {"lost": 0.03}, {"think_us": 3e4}]
)
def test_whatever_happens(given: dict[str, float]) -> None:
    named, wrong = figures("full", 6, **given)
    assert named >= 0.75
    assert wrong <= 0.03


def test_every_prompt_is_spoken_of_once() -> None:
    for seed in range(3):
        seen = simulated(f"all {seed}", at_once=16, calls=160, background=0.1)
        found = attribute(seen.calls, seen.prompts)
        assert [f.seq for f in found] == [p.seq for p in seen.prompts if p.fixed is None]


def test_the_same_again_says_the_same() -> None:
    seen = simulated("again", "bare")
    assert attribute(seen.calls, seen.prompts) == attribute(seen.calls, seen.prompts)
