"""Untangling a session that never comes to rest: calls that never end pile up in it, and nobody may be blamed for it."""

from collections.abc import Iterator

from auditor.attribution.infer import untangle
from auditor.attribution.model import Attribution, Call, Learned, Prompt

_MS = 1000


def endless(pairs: int) -> Iterator[Call | Prompt]:
    """Two calls at once, the first of which asks; of every tenth pair the second is never answered. In the other pairs
    the prompt names what its call was given."""
    for n in range(pairs):
        seq, ts, lost = n * 10, n * 20_000 * _MS, n % 10 == 0
        told = frozenset({f"order-{n}"})
        end = None if lost else seq + 7
        yield Call(seq, ts, seq + 6, ts + 3100 * _MS, "answer", None, "buy", told, frozenset(), rpc_id=str(seq))
        yield Call(
            seq + 1, ts + _MS, end, ts + 9000 * _MS if end else None, "open" if lost else "answer", None, "sell",
            frozenset(), frozenset(), rpc_id=str(seq + 1),
        )  # fmt: skip
        yield Prompt(
            seq + 2, 0, ts + 4 * _MS, seq + 3, ts + 3000 * _MS, seq + 3, ts + 3000 * _MS, None, None, "accept",
            told, frozenset(), "t",
        )  # fmt: skip


def run(pairs: int) -> dict[int, Attribution]:
    return {found.seq: found for found in untangle(endless(pairs), Learned(), 0.9)}


def test_every_prompt_is_spoken_of_and_never_given_to_a_wrong_call() -> None:
    found = run(600)
    assert list(found) == [n * 10 + 2 for n in range(600)]
    for seq, said in found.items():
        assert said.parent in (None, seq - 2)
    assert sum(said.parent is not None for said in found.values()) > 500


def test_the_many_that_never_ended_are_weighed_together() -> None:
    late = run(600)[5972]
    assert len(late.candidates) <= 8
    assert late.evidence[0].startswith(("61 calls", "62 calls"))


def test_what_is_said_does_not_depend_on_what_comes_much_later() -> None:
    short, long = run(50), run(600)
    for seq in list(short)[:-1]:
        assert (short[seq].tier, short[seq].parent) == (long[seq].tier, long[seq].parent)
