"""What became of each prompt, by the first thing that decided it."""

import pytest

from .story import Told


@pytest.mark.parametrize(("story", "outcome"), [
    ("accept", "accept"), ("decline", "decline"), ("cancel", "cancel"), ("unsupported", "unsupported"),
    ("unsupported by words", "unsupported"), ("mode not declared", "unsupported"), ("client error", "client_error"),
    ("malformed answer", "client_error"), ("timeout said by the server", "timeout"), ("timeout seen in the call", "timeout"),
    ("timeout of the caller", "timeout"), ("parent cancelled", "cancelled_parent"), ("withdrawn", "cancelled_server"),
    ("parent ended", "abandoned_parent"), ("session ended", "abandoned_session"), ("server crashed", "abandoned_session"),
    ("late", "abandoned_parent"), ("asked for a root", "accept"), ("asked a model", "accept"),
    ("url completed", "accept"), ("url dangling", "accept"), ("state refused", "expired"), ("state altered", "accept"),
    ("never retried", "abandoned_session"), ("no state", "accept"),
    ("url required, retried", "retried"), ("url required, completed", "completed"), ("url required, left", "dangling"),
])  # fmt: skip
def test_outcome(told: Told, story: str, outcome: str) -> None:
    assert told.outcomes(story) == [outcome]


def test_a_message_speaks_of_the_only_field_of_its_form(told: Told) -> None:
    """Of several fields nobody can tell which one it means."""
    assert [f["sensitive"] for f in told.rows("elicitation_fields", "one field")] == ["password"]
    assert [f["sensitive"] for f in told.rows("elicitation_fields", "two fields")] == [None, None]


def test_what_came_late_is_kept(told: Told) -> None:
    prompt = told.one("elicitations", "late")
    assert (prompt["late_action"], prompt["action"]) == ("accept", "accept")
    assert prompt["answered_seq"] > prompt["closed_seq"]


def test_details_say_who_ended(told: Told) -> None:
    assert told.one("elicitations", "server crashed")["detail"].startswith("crash")
    assert told.one("elicitations", "session ended")["detail"].startswith("client")


@pytest.mark.parametrize(("story", "status"), [
    ("url completed", "completed"), ("url dangling", "dangling"), ("url required, retried", "retried"),
    ("url required, completed", "completed"), ("url required, left", "dangling"), ("accept", None),
])  # fmt: skip
def test_url_status(told: Told, story: str, status: str | None) -> None:
    assert told.one("elicitations", story)["url_status"] == status


def test_a_key_left_out_is_superseded(told: Told) -> None:
    assert sorted(told.outcomes("key left out")) == ["accept", "superseded"]


@pytest.mark.parametrize(("story", "declared"), [("accept", True), ("mode not declared", False), ("rounds", True)])
def test_declared(told: Told, story: str, declared: bool) -> None:
    assert {e["declared"] for e in told.rows("elicitations", story)} == {declared}


@pytest.mark.parametrize(("story", "outcome"), [
    ("accept", "ok"), ("timeout seen in the call", "tool_error"), ("timeout said by the server", "error"),
    ("parent cancelled", "cancelled"), ("session ended", "unanswered"), ("never retried", "input_required"),
    ("task", "ok"), ("task left", "task"), ("answer after cancellation", "cancelled"),
])  # fmt: skip
def test_outcome_of_the_call(told: Told, story: str, outcome: str) -> None:
    assert told.one("calls", story)["outcome"] == outcome


def test_time_is_split_between_person_and_server(told: Told) -> None:
    call = told.one("calls", "accept")
    assert call["human_us"] == 1000 and call["server_us"] == 2000 and call["duration_us"] == 3000


@pytest.mark.parametrize(("story", "kind"), [
    ("never answered", "request_unanswered"), ("answer to nothing", "response_unmatched"), ("answer twice", "response_repeated"),
    ("answer after cancellation", "response_after_cancel"), ("none open", "prompt_without_call"),
    ("parent ended", "prompt_open_at_call_end"), ("late", "answer_after_call_end"), ("url dangling", "url_never_completed"),
    ("complete of nothing", "complete_unknown"), ("never retried", "input_never_retried"), ("state sent twice", "state_reused"),
    ("state altered", "retry_mismatch"), ("task left", "task_unfinished"), ("task unfetched", "task_result_unfetched"),
    ("unfinished handshake", "session_uninitialized"), ("session ended", "session_ended_open"),
])  # fmt: skip
def test_orphans(told: Told, story: str, kind: str) -> None:
    assert kind in told.orphans(story)


@pytest.mark.parametrize(
    "story", ["accept", "rounds", "task", "batch", "url completed", "alike with state", "told by its words"]
)
def test_nothing_is_left_hanging_where_all_went_well(told: Told, story: str) -> None:
    assert told.orphans(story) == set()
