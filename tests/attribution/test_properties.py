"""What holds of every session, whatever happened in it."""

import json
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.attribution.infer import GRACE_US, attribute
from auditor.attribution.model import Attribution, Call, Prompt
from benchmarks.simulated import sessions
from benchmarks.simulated.views import View, view
from benchmarks.simulated.worlds import Line

WORDS = st.frozensets(st.sampled_from(("lantern", "harbor", "meadow", "staging", "yes")), max_size=3)


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Call], list[Prompt]]:
    """Calls and prompts that begin and end in any order."""
    count = draw(st.integers(1, 14))
    gaps = draw(st.lists(st.sampled_from((0, 900, 5_000, 40_000, 3_000_000)), min_size=60, max_size=60))
    times = [sum(gaps[: n + 1]) for n in range(60)]
    calls: list[Call] = []
    prompts: list[Prompt] = []
    for _ in range(count):
        seq = draw(st.integers(0, 40))
        end = draw(st.one_of(st.none(), st.integers(seq + 1, 59)))
        if any(x.seq == seq for x in (*calls, *prompts)):
            continue
        at = None if end is None else times[end]
        if draw(st.booleans()):
            cause = "open" if end is None else draw(st.sampled_from(("answer", "error", "cancelled", "session_end")))
            late = draw(st.one_of(st.none(), st.integers(end, 59))) if cause == "cancelled" and end else None
            calls.append(Call(
                seq, times[seq], end, at, cause, end if cause == "cancelled" else None,
                draw(st.sampled_from(("deploy", "refund"))), draw(WORDS), draw(WORDS), None, str(seq), late,
                draw(st.booleans()),
            ))  # fmt: skip
        else:
            prompts.append(Prompt(
                seq, 0, times[seq], end, at, end, at, None, None, None, draw(WORDS), draw(WORDS),
                draw(st.sampled_from(("a", "b"))),
            ))  # fmt: skip
    return calls, prompts


def able(calls: list[Call], p: Prompt) -> set[int]:
    """The calls that may have asked: begun and not over, as one that was cancelled is not until it is answered."""
    found = set()
    for c in calls:
        over = c.late_seq if c.end_cause == "cancelled" else c.end_seq
        if c.seq < p.seq and (over is None or over > p.seq):
            found.add(c.seq)
    return found


@settings(max_examples=150, deadline=None)
@given(histories())
def test_what_is_said_can_be(history: tuple[list[Call], list[Prompt]]) -> None:
    calls, prompts = history
    said = attribute(calls, prompts)
    assert [a.seq for a in said] == sorted(p.seq for p in prompts)
    asked = {p.seq: p for p in prompts}
    for a in said:
        weights = [w for _, w in a.candidates]
        assert all(0 <= w <= 1 for w in weights)
        assert sum(weights) <= 1 + 1e-4 * len(weights)
        assert weights == sorted(weights, reverse=True)
        assert {c for c, _ in a.candidates} <= able(calls, asked[a.seq])
        assert a.evidence
        assert (a.parent is None) == (a.tier in ("ambiguous", "none"))
        if a.parent is not None:
            assert a.parent in {c for c, _ in a.candidates}
        if a.tier == "inferred":
            assert 0.9 <= a.confidence <= 0.99
        if a.tier == "deduced":
            assert able(calls, asked[a.seq]) >= {a.parent}


@settings(max_examples=100, deadline=None)
@given(histories())
def test_the_only_open_call_is_deduced_and_no_other(history: tuple[list[Call], list[Prompt]]) -> None:
    calls, prompts = history
    said = {a.seq: a for a in attribute(calls, prompts)}
    for p in prompts:
        maybe = able(calls, p)
        assert (said[p.seq].tier == "none") >= (not maybe)
        if said[p.seq].tier == "deduced":
            cancelled = {c.seq for c in calls if c.end_cause == "cancelled"}
            assert len(maybe - cancelled) == 1
        if len(maybe) == 1 and not any(c.end_cause == "cancelled" for c in calls):
            assert (said[p.seq].tier, said[p.seq].parent) == ("deduced", *maybe)


@settings(max_examples=60, deadline=None)
@given(histories(), st.integers(2, 5), st.integers(-(10**12), 10**12))
def test_only_order_and_gaps_count(history: tuple[list[Call], list[Prompt]], times: int, shift: int) -> None:
    """Places further apart, other ids, and another day change nothing."""
    calls, prompts = history

    def moved(item: Any) -> Any:
        changes = {
            name: None
            if (value := getattr(item, name)) is None
            else value * times
            if name.endswith("seq")
            else value + shift
            for name in item.__struct_fields__
            if name.endswith(("seq", "_us"))
        }
        return msgspec.structs.replace(item, **changes)

    renamed = [msgspec.structs.replace(moved(c), rpc_id=f"id-{c.seq}") for c in calls]
    before = attribute(calls, prompts)
    after = attribute(renamed, [moved(p) for p in prompts])
    assert [plain(a, times) for a in before] == [plain(a, 1) for a in after]


def plain(a: Attribution, times: int) -> tuple[Any, ...]:
    parent = None if a.parent is None else a.parent * times
    return a.seq * times, a.tier, parent, a.confidence, tuple((c * times, w) for c, w in a.candidates)


def with_ids(lines: list[Line], rename: Any) -> View:
    """The same session with other ids on the wire."""
    changed = []
    for line in lines:
        message = json.loads(json.dumps(line.message))
        if "id" in message:
            message["id"] = rename(message["id"])
        params = message.get("params", {})
        if "requestId" in params:
            params["requestId"] = rename(params["requestId"])
        if "_meta" in params:
            params["_meta"]["progressToken"] = rename(params["_meta"]["progressToken"])
        changed.append(Line(line.ts_us, line.direction, message, line.call))
    return view(changed)


def test_ids_on_the_wire_tell_nothing() -> None:
    for seed in range(3):
        lines = sessions.lines(f"ids {seed}", "full", 6, calls=30)
        found = [
            [plain(a, 1) for a in attribute(seen.calls, seen.prompts)]
            for seen in (with_ids(lines, lambda i: i), with_ids(lines, str), with_ids(lines, lambda i: f"lantern {i}"))
        ]
        assert found[0] == found[1] == found[2]


def test_a_call_that_was_over_is_no_candidate() -> None:
    """Not even when the prompt speaks of what it was given; but one that was just cancelled is."""
    told = frozenset({"lantern"})
    over = Call(1, 0, 3, 10_000, "answer", None, "deploy", told, frozenset())
    cancelled = msgspec.structs.replace(over, end_cause="cancelled", cancelled_seq=3)
    others = [Call(n, 0, 90, 60_000_000, "answer", None, "deploy", frozenset(), frozenset()) for n in (0, 2)]
    prompt = Prompt(5, 0, 20_000, 9, 99_000, 9, 99_000, None, None, "accept", told, frozenset(), "t")
    (said,) = attribute([over, *others], [prompt])
    assert {c for c, _ in said.candidates} == {0, 2}
    (said,) = attribute([cancelled, *others], [prompt])
    assert {c for c, _ in said.candidates} == {0, 1, 2}
    much_later = msgspec.structs.replace(prompt, ts_us=20_000 + 2 * GRACE_US, closed_us=10**8, answer_us=10**8)
    (said,) = attribute([cancelled, *others], [much_later])
    assert {c for c, _ in said.candidates} == {0, 2}
