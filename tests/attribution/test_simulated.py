"""Simulated sessions, whose truth is known: every prompt is spoken of, however many calls are open."""

from random import Random

from simulated import tools, worlds
from simulated.views import View, view

from auditor.attribution.infer import attribute


def simulated(seed: str, text: str, at_once: int, server: str = "node", calls: int = 64) -> View:
    rng = Random(seed)
    client = worlds.Client(at_once, True, 3e6, one_by_one=False)
    return view(worlds.Session(rng, worlds.SERVERS[server], client, tools.draw(rng, text, 3), calls).lines)


def test_every_prompt_is_spoken_of() -> None:
    for seed in range(4):
        seen = simulated(f"all {seed}", "full", 16, calls=160)
        found = attribute(seen.calls, seen.prompts)
        assert [f.seq for f in found] == [p.seq for p in seen.prompts if p.fixed is None]
