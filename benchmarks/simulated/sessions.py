"""Sessions of every kind, each drawn from its seed."""

from random import Random
from typing import Any

from . import tools, worlds

THINKING_US = (30e3, 2e6, 6e6, 6e6, 15e6)  # the first answers by itself


def lines(seed: str, text: str, at_once: int, kinds: int = 3, calls: int = 64, **given: Any) -> list[worlds.Line]:
    """One session; `given` are fields of the client, `server` a name, and `parallel` the share of tools that ask all at
    once: what is not given is drawn."""
    rng = Random(seed)
    parallel = given.pop("parallel", 0.1)
    name = given.pop("server", None) or rng.choice(list(worlds.SERVERS))
    drawn = {
        "bursts": rng.random() < 0.5,
        "think_us": rng.choice(THINKING_US),
        "one_by_one": rng.random() < 0.5,
    }
    client = worlds.Client(at_once, **(drawn | given))
    return worlds.Session(rng, worlds.SERVERS[name], client, tools.draw(rng, text, kinds, parallel), calls).lines
