"""How often attribution is right, and how well it knows: simulated servers and clients, with the truth kept.

    python benchmarks/attribution.py [--seed N] [--sessions N] [--threshold X] [--check]

For each scenario: prompts that had a call while several were open, the share of them that were named, the share of
wrong ones among all that were named (prompts of no call among them), the expected calibration error of the weights
(ten bins), and how often three simple guesses are right: the latest call, the oldest, the oldest not yet asked. Then
accuracy by tier and the reliability table over all scenarios; last, some of the sessions through the whole program, as
files that are imported: it reads the stretches in doubt only, so that a few prompts may come out otherwise. `--check`
exits 1 when a target is missed. What is simulated is told in `simulated/`.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from simulated import sessions  # noqa: E402
from simulated.views import View, trace, view  # noqa: E402
from simulated.worlds import SERVERS  # noqa: E402

from auditor.attribution.infer import attribute  # noqa: E402
from auditor.attribution.model import Attribution, Prompt  # noqa: E402
from auditor.formats.importer import import_file  # noqa: E402
from auditor.pipeline import reading  # noqa: E402


class Scenario(NamedTuple):
    """`text`: full, plain or bare; `given`: what is not drawn."""

    name: str
    at_once: int
    text: str = "full"
    given: dict[str, Any] = {}  # noqa: RUF012


USUAL = Scenario("8 calls, 3 tools", 8)
BARE = Scenario("8 calls, one tool, no text", 8, "bare")
SCENARIOS = (
    Scenario("1 call, 3 tools", 1),
    Scenario("2 calls, 3 tools", 2),
    Scenario("4 calls, 3 tools", 4),
    USUAL,
    Scenario("16 calls, 3 tools", 16),
    Scenario("8 calls, 3 tools, no values", 8, "plain"),
    Scenario("2 calls, one tool, no text", 2, "bare"),
    BARE,
    *(Scenario(f"8 calls: {name}", 8, "full", {"server": name}) for name in SERVERS),
    Scenario("8 calls: begun together", 8, "full", {"bursts": True}),
    Scenario("8 calls: answered at once", 8, "full", {"think_us": 30e3}),
    Scenario("8 calls: shown one by one", 8, "full", {"one_by_one": True}),
    Scenario("8 calls: parallel prompts", 8, "full", {"parallel": 0.7}),
    Scenario("8 calls: prompts of no call", 8, "full", {"background": 0.1}),
    Scenario("8 calls: cancelled", 8, "full", {"cancels": 0.2}),
    Scenario("8 calls: never answered", 8, "full", {"silent": 0.1}),
    Scenario("8 calls: messages lost", 8, "full", {"lost": 0.02}),
)


class Score:
    """What was said of prompts, against the truth."""

    def __init__(self) -> None:
        self.several = self.named = self.right = self.wrong = self.certain_wrong = 0
        self.guesses = [0, 0, 0]
        self.tiers: dict[str, list[int]] = {}
        self.bins = [[0.0, 0.0, 0.0] for _ in range(10)]

    def add(self, truth: int | None, able: list[int], said: Attribution) -> None:
        """Count one prompt."""
        right = said.parent == truth
        tier = self.tiers.setdefault(said.tier, [0, 0])
        tier[0] += 1
        tier[1] += right
        self.certain_wrong += said.tier == "deduced" and not right and truth is not None
        if said.tier in ("inferred", "ambiguous") and said.candidates:
            best, weight = said.candidates[0]
            counted = self.bins[min(9, int(weight * 10))]
            for n, more in enumerate((1, best == truth, min(weight, 0.99))):
                counted[n] += more
        if len(able) > 1:
            self.several += truth is not None
            self.named += said.parent is not None
            self.right += right and truth is not None
            self.wrong += said.parent is not None and not right

    def merge(self, other: "Score") -> None:
        """Add what another counted."""
        for name in ("several", "named", "right", "wrong", "certain_wrong"):
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


def said_of(seen: View, threshold: float) -> dict[int, Attribution]:
    """What is said of each prompt; that of which one call alone was open is left to the analysis."""
    sure = [p for p in seen.prompts if p.fixed is not None]
    known = {p.seq: Attribution(p.seq, 0, "deduced", p.fixed, 1.0, (), ((p.fixed or 0, 1.0),)) for p in sure}
    return known | {a.seq: a for a in attribute(seen.calls, seen.prompts, threshold=threshold)}


def score(scenario: Scenario, count: int, seed: int, threshold: float) -> Score:
    """Simulate sessions and attribute their prompts."""
    found = Score()
    for n in range(count):
        seen = view(drawn(scenario, seed, n))
        said = said_of(seen, threshold)
        asked: set[int | None] = set()
        for p in seen.prompts:
            truth, able = seen.truth[p.seq], _able(seen, p)
            found.add(truth, able, said[p.seq])
            if len(able) > 1 and truth is not None:
                fresh = [c for c in able if c not in asked] or able
                for place, guess in enumerate((able[-1], able[0], fresh[0])):
                    found.guesses[place] += guess == truth
            asked.add(truth)
    return found


def drawn(scenario: Scenario, seed: int, n: int) -> list[Any]:
    """The lines of one session of a scenario."""
    kinds = 1 if scenario.text == "bare" else 3
    return sessions.lines(f"{seed} {scenario.name} {n}", scenario.text, scenario.at_once, kinds, 64, **scenario.given)


def _able(seen: View, p: Prompt) -> list[int]:
    return [c.seq for c in seen.calls if c.seq < p.seq and (c.end_seq is None or c.end_seq > p.seq)]


def through_the_program(count: int, seed: int) -> tuple[int, int]:
    """How many prompts of imported sessions there are, and of how many the program says what inference said here."""
    alike = total = 0
    with tempfile.TemporaryDirectory() as place:
        for n in range(count):
            scenario = (USUAL, BARE)[n % 2]
            lines, db = drawn(scenario, seed, n), Path(place) / f"{n}.duckdb"
            file = Path(place) / f"{n}.jsonl"
            file.write_text(trace(lines, "simulated"), "utf-8")
            import_file(file, "trace", db)
            with reading(db) as con:
                rows = con.execute("SELECT seq, tier, parent_seq FROM elicitations").fetchall()
            said = said_of(view(lines), 0.9)
            total += len(said)
            alike += sum(seq in said and (said[seq].tier, said[seq].parent) == (tier, own) for seq, tier, own in rows)
    return total, alike


def _row(name: str, s: Score) -> str:
    n = max(1, s.several)
    latest, oldest, fresh = (100 * g / n for g in s.guesses)
    wrong = 100 * s.wrong / max(1, s.named)
    return (
        f"{name:30} {s.several:6} {100 * s.right / n:6.1f} % {wrong:6.2f} % {s.ece:6.3f}"
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
    yield f"deduced, and another call's: {total.certain_wrong}"
    yield ""
    for n, right, weight in total.bins:
        if n:
            yield f"weight {weight / n:.3f}: {right / n:.3f} right ({n:.0f})"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=6, help="of each scenario, 64 calls each")
    parser.add_argument("--threshold", type=float, default=0.9)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    scores = {s.name: score(s, given.sessions, given.seed, given.threshold) for s in SCENARIOS}
    sys.stdout.write("\n".join(report(scores)) + "\n")
    total, alike = through_the_program(4, given.seed)
    sys.stdout.write(f"\nthrough the whole program: {alike} of {total} prompts the same\n")
    usual, bare = scores[USUAL.name], scores[BARE.name]
    met = (
        usual.right >= 0.9 * usual.several
        and usual.wrong <= 0.02 * usual.named
        and usual.ece <= 0.05
        and bare.wrong <= 0.05 * bare.named
        and alike >= 0.97 * total
    )
    if given.check and not met:
        sys.exit("a target is missed")


if __name__ == "__main__":
    main()
