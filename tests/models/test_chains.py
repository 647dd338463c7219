"""Which requests are legs of one call, and how sure it is whose a prompt was."""

import pytest

from .story import Told


def legs(told: Told, story: str) -> list[list[str]]:
    return [[leg["rpc_id"] for leg in c["legs"]] for c in told.rows("calls", story)]


@pytest.mark.parametrize(("story", "expected"), [
    ("rounds", [["1", "2", "3"]]), ("no state", [["1", "2"]]), ("alike with state", [["1", "4"], ["2", "3"]]),
    ("alike and stateless", [["1"], ["2"], ["3"], ["4"]]), ("state sent twice", [["1", "2", "3"]]),
    ("state altered", [["1", "2"]]), ("url required, retried", [["1"], ["2"]]),
])  # fmt: skip
def test_legs(told: Told, story: str, expected: list[list[str]]) -> None:
    assert legs(told, story) == expected


def test_rounds_have_one_root(told: Told) -> None:
    prompts = told.rows("elicitations", "rounds")
    assert [(p["key"], p["outcome"], p["parent_rpc_id"], p["root_rpc_id"]) for p in prompts] == [
        ("a", "accept", "1", "1"), ("b", "decline", "2", "1"), ("c", "cancel", "2", "1"),
    ]  # fmt: skip
    assert {p["tier"] for p in prompts} == {"explicit"}


def test_answers_go_with_their_state(told: Told) -> None:
    prompts = told.rows("elicitations", "alike with state")
    assert {(p["root_rpc_id"], p["outcome"]) for p in prompts} == {("1", "accept"), ("2", "decline")}


def test_what_cannot_be_told_is_not_said(told: Told) -> None:
    assert {p["action"] for p in told.rows("elicitations", "alike and stateless")} == {None}


def test_a_prompt_names_its_task(told: Told) -> None:
    prompt = told.one("elicitations", "task")
    assert (prompt["tier"], prompt["parent_rpc_id"], prompt["outcome"]) == ("explicit", "1", "accept")


def test_a_polled_prompt_counts_once(told: Told) -> None:
    prompt = told.one("elicitations", "polled")
    assert (prompt["carriage"], prompt["outcome"], prompt["parent_rpc_id"]) == ("task", "accept", "1")


@pytest.mark.parametrize(("story", "tier", "parent"), [
    ("on its stream", "explicit", "1"), ("only one open", "deduced", "1"), ("none open", "none", None),
    ("two alike", "ambiguous", None), ("on a stream of nobody", "ambiguous", None),
])  # fmt: skip
def test_tier(told: Told, story: str, tier: str, parent: str | None) -> None:
    prompt = told.one("elicitations", story)
    assert (prompt["tier"], prompt["parent_rpc_id"]) == (tier, parent)
    assert prompt["evidence"]


@pytest.mark.parametrize("story", ["two alike", "on a stream of nobody"])
def test_candidates_are_listed(told: Told, story: str) -> None:
    candidates = told.one("elicitations", story)["candidates"]
    assert {c["rpc_id"] for c in candidates} == {"1", "2"}
    assert sum(c["weight"] for c in candidates) <= 1.0001


def test_words_tell(told: Told) -> None:
    found = told.rows("elicitations", "told by its words")
    assert [(p["tier"], p["parent_rpc_id"]) for p in found] == [("inferred", "1"), ("deduced", "2")]
    assert all(p["confidence"] >= 0.9 for p in found)
    assert any("lantern" in why for why in found[0]["evidence"])


def test_a_call_just_cancelled_may_still_have_asked(told: Told) -> None:
    assert told.one("elicitations", "right after a cancellation")["tier"] in ("inferred", "ambiguous")
