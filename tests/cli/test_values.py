"""What values look like when they are shown."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.cli import render, values
from auditor.cli.diagnostics import visible
from auditor.cli.filters import moment, words
from auditor.cli.mermaid import diagram
from auditor.cli.rates import wilson
from auditor.errors import UsageError

NASTY = "a\x1b[31mred\x1b[0m \x9b2J \u202etxt \u2066x\u2069 \x07 b\rc"


def test_ids_keep_their_type() -> None:
    assert values.rpc_id("1", "integer") == 1
    assert values.rpc_id("1", "string") == "1"
    assert values.rpc_id("1.5", "number") == 1.5
    assert values.rpc_id("null", "null") is None
    assert values.rpc_id(None, None) is None
    assert values.rpc_id("9007199254740993123", "integer") == 9007199254740993123


def test_times_are_utc_with_microseconds() -> None:
    assert values.iso(datetime(2026, 7, 28, 9, 30, 0, 5)) == "2026-07-28T09:30:00.000005Z"
    assert values.iso(None) is None
    assert values.ms(1500) == 1.5


@pytest.mark.parametrize("text", [NASTY, "\u200f", "\ufeff", "\x00"])
def test_a_terminal_obeys_nothing_of_the_traffic(text: str) -> None:
    assert render.cell(text).isprintable()
    assert visible(text).replace("\n", "").isprintable()


@given(st.text())
def test_json_says_the_same_and_holds_no_control(text: str) -> None:
    out = values.to_json({"text": text})
    if not any("\ud800" <= c <= "\udfff" for c in text):
        assert json.loads(out) == {"text": text}
    assert not any(c in out for c in "\x1b\x9b\u202e\u2066\u2028\n")


@given(st.text())
def test_a_cell_is_one_printable_line(text: str) -> None:
    assert render.cell(text) == "" or render.cell(text).isprintable()
    assert len(render.cell(text)) <= render.MAX_CELL


def test_csv_runs_no_formula(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"a": "=1+1", "b": {"c": "@x"}, "d": -5, "e": [1, "x"], "f": None}]
    render.print_csv(("a", "b.c", "d", "e", "f"), rows)
    lines = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert lines == [["a", "b.c", "d", "e", "f"], ["'=1+1", "'@x", "-5", '[1, "x"]', ""]]


def test_a_json_array_is_one_for_none_one_and_many(capsys: pytest.CaptureFixture[str]) -> None:
    for rows in ([], [{"a": 1}], [{"a": 1}, {"a": 2}]):
        render.print_json(iter(rows))
        assert json.loads(capsys.readouterr().out) == rows


def test_markup_of_the_traffic_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    render.table(("x",), [("[red]not red[/red] :smile:",)])
    assert "[red]not red[/red] :smile:" in capsys.readouterr().out


def test_moments() -> None:
    now = datetime(2026, 7, 28, 12, 0, tzinfo=UTC)
    assert moment("90m", now) == datetime(2026, 7, 28, 10, 30)
    assert moment("1.5d", now) == datetime(2026, 7, 28, 12) - timedelta(days=1.5)
    assert moment("2026-07-28") == datetime(2026, 7, 28)
    assert moment("2026-07-28T12:00+02:00") == datetime(2026, 7, 28, 10)
    assert moment("2026-07-28T12:00Z") == datetime(2026, 7, 28, 12)
    with pytest.raises(UsageError, match="yesterday"):
        moment("yesterday")


def test_words() -> None:
    assert words("a, b,", ("a", "b"), "--x") == ["a", "b"]
    with pytest.raises(UsageError, match="--x does not know `c`"):
        words("a,c", ("a", "b"), "--x")


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_an_interval_holds_its_rate(hits: int, more: int) -> None:
    rate = wilson(hits, hits + more)
    assert (rate is None) == (hits + more == 0)
    if rate is not None:
        assert 0 <= rate["low"] <= rate["value"] + 1e-12 and rate["value"] - 1e-12 <= rate["high"] <= 1


def test_a_label_cannot_break_the_diagram() -> None:
    session = {"client": "c;\n->> evil", "server": 'x"]'}
    call = {
        "seq": 1, "method": "tools/call", "tool": "a;b\nC->>S: forged", "end_seq": None, "outcome": "unanswered",
        "duration_us": None, "legs": [{"seq": 1, "rpc_id": "1", "rpc_id_type": "integer"}],
    }  # fmt: skip
    lines = diagram(session, [call], []).splitlines()
    assert len(lines) == 4
    assert "forged" in lines[3] and lines[3].count(">>") == 1


def test_json_has_no_word_for_what_json_cannot_say() -> None:
    assert json.loads(values.to_json({"a": [float("inf"), 1.5], "b": float("nan")}), parse_constant=pytest.fail) == {
        "a": [None, 1.5],
        "b": None,
    }


@pytest.mark.parametrize(("text", "kind"), [("9" * 5000, "integer"), ("odd", "integer"), ("inf", "number")])
def test_an_id_that_is_no_number_is_shown_as_it_stands(text: str, kind: str) -> None:
    assert values.rpc_id(text, kind) == text


def test_a_guess_is_never_shown_as_certain() -> None:
    assert [values.sure(p) for p in (0.93, 0.9951, 1.0)] == ["93%", ">99%", ">99%"]
