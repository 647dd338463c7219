"""Which answer belongs to which request, where sessions begin, and how they end."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .story import Story, Told, pairs


def text_of(told: Told, story: str, seq: int | None) -> str | None:
    """What the answer at a place says."""
    if seq is None:
        return None
    raw = next(m["raw"] for m in told.rows("messages", story) if m["seq"] == seq)
    content = json.loads(raw)["result"].get("content")
    return content[0]["text"] if content else ""


@pytest.mark.parametrize(("story", "expected"), [
    ("ids of both types", {("1", "integer"): "number", ("1", "string"): "string"}),
    ("id again after its answer", {("1", "a"): "a", ("1", "b"): "b"}),
    ("id again while open", {("1", "a"): None, ("1", "b"): None}),
    ("id again after cancellation", {("1", "a"): None, ("1", "b"): "b"}),
    ("never answered", {("1", "deploy"): None}),
])  # fmt: skip
def test_pairs(told: Told, story: str, expected: dict[tuple[str, str], str | None]) -> None:
    calls = [x for x in told.rows("exchanges", story) if x["method"] == "tools/call"]
    by = "rpc_id_type" if story == "ids of both types" else "tool"
    assert {(x["rpc_id"], x[by]): text_of(told, story, x["answer_seq"]) for x in calls} == expected


def test_ids_of_both_sides_do_not_meet(told: Told) -> None:
    sent = {(x["direction"], x["method"]): x["answer_seq"] for x in told.rows("exchanges", "ids of both sides")}
    assert sent["s2c", "elicitation/create"] == sent["c2s", "tools/call"] - 1


def test_one_as_javascript_writes_it(told: Told) -> None:
    assert dict(pairs(told, "float id"))["1"] is not None


def test_batch(told: Told) -> None:
    found = [x for x in told.rows("exchanges", "batch") if x["method"] == "ping"]
    assert [x["answer_seq"] for x in found] == [found[0]["seq"] + 3, found[0]["seq"] + 2]


def test_second_session_on_one_channel(told: Told) -> None:
    first, second = told.rows("sessions", "two sessions")
    assert (first["end_reason"], second["end_reason"]) == ("client", "client")
    assert [x["session_id"] for x in told.rows("calls", "two sessions")] == [first["session_id"], second["session_id"]]


@pytest.mark.parametrize(("story", "reason", "handshake"), [
    ("crash", "crash", True), ("server leaves", "server", True), ("answer twice", "client", True),
    ("no handshake", "client", False), ("unfinished handshake", "client", False), ("from the middle", "client", False),
])  # fmt: skip
def test_ends(told: Told, story: str, reason: str, handshake: bool) -> None:
    session = told.one("sessions", story)
    assert (session["end_reason"], session["handshake"]) == (reason, handshake)


def test_clock_that_jumps_back(told: Told) -> None:
    call = told.one("calls", "clock jumps back")
    assert call["outcome"] == "ok" and call["duration_us"] >= 0 and call["human_us"] >= 0
    assert told.outcomes("clock jumps back") == ["accept"]


IDS = st.sampled_from([0, 1, 2, "0", "1", "a", -1, 2**40])
STEP = st.tuples(st.sampled_from(["ask", "answer", "cancel"]), st.booleans(), IDS)


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(STEP, max_size=25), min_size=5, max_size=15))
def test_no_pair_is_ever_wrong(tmp_path_factory: pytest.TempPathFactory, sessions: list[list[Any]]) -> None:
    """Whatever ids do: an answer that is paired names the request that it was made for."""
    stories = [random_session(f"random {i}", steps) for i, steps in enumerate(sessions)]
    told = Told(stories, Path(tmp_path_factory.mktemp("random")))
    for story in stories:
        texts = {m["seq"]: json.loads(m["raw"]) for m in told.rows("messages", story.name)}
        for x in told.rows("exchanges", story.name):
            if x["answer_seq"] is not None:
                assert texts[x["answer_seq"]]["result"]["to"] == texts[x["seq"]]["params"]["mark"]


def random_session(name: str, steps: list[tuple[str, bool, Any]]) -> Story:
    """Requests with marks, answered (oldest open first) under their id with the mark of the request meant; an answer
    with none open is a late one to the request that was open last."""
    story = Story(name, protocol=None)
    open_marks: dict[tuple[bool, str], list[int]] = {}
    last: dict[tuple[bool, str], int] = {}
    for mark, (kind, by_client, rid) in enumerate(steps):
        say, back = (story.client, story.server) if by_client else (story.server, story.client)
        waiting = open_marks.setdefault((by_client, json.dumps(rid)), [])
        if kind == "ask":
            say({"id": rid, "method": "x", "params": {"mark": mark}})
            waiting.append(mark)
            last[by_client, json.dumps(rid)] = mark
        elif kind == "answer":
            back(
                {"id": rid, "result": {"to": waiting.pop(0) if waiting else last.get((by_client, json.dumps(rid)), -1)}}
            )
        elif waiting:
            say({"method": "notifications/cancelled", "params": {"requestId": rid}})
            waiting.pop()
    return story
