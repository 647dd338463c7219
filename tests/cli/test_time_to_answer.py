"""The Kaplan-Meier estimate in SQL against the textbook, and what a reader is told of the record's health."""

from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.cli import stats
from auditor.cli.health import report_health

SQL = Path(stats.__file__).with_name("listings").joinpath("time_to_answer.sql").read_text("utf-8")


def in_sql(times: list[tuple[int, bool]]) -> tuple[int | None, int | None, int]:
    """Median, p95 and the number of the censored, by the query."""
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE prompts (key VARCHAR[], outcome VARCHAR, carriage VARCHAR, latency_us BIGINT, open_us BIGINT)"
        )
        for t, answered in times:
            row = ("accept", t, t + 7) if answered else ("timeout", None, t)
            con.execute("INSERT INTO prompts VALUES ([], ?, 'request', ?, ?)", row)
        found = con.execute(SQL).fetchall()
    assert len(found) == 1
    _, median, p95, censored = found[0]
    return median, p95, censored


def by_the_book(times: list[tuple[int, bool]], share: float) -> int | None:
    """The first time at which no more than this share is still open."""
    left = 1.0
    for t in sorted({t for t, answered in times if answered}):
        at_risk = sum(1 for u, _ in times if u >= t)
        left *= 1 - sum(1 for u, answered in times if answered and u == t) / at_risk
        if left <= share + 1e-9:
            return t
    return None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 40), st.booleans()), min_size=1, max_size=30))
def test_it_agrees_with_the_book(times: list[tuple[int, bool]]) -> None:
    median, p95, censored = in_sql(times)
    assert median == by_the_book(times, 0.5)
    assert p95 == by_the_book(times, 0.05)
    assert censored == sum(1 for _, answered in times if not answered)


def test_what_nobody_answered_counts() -> None:
    answered = [(100, True), (200, True), (300, True)]
    assert in_sql(answered)[0] == 200
    assert in_sql([*answered, (1000, False), (1000, False), (1000, False)])[0] == 300
    assert in_sql([(100, True), (1000, False), (1000, False)])[0] is None


def test_health_names_gaps_damage_and_missing_seals(capsys: pytest.CaptureFixture[str]) -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE captures AS SELECT 'c' || i AS capture_id, i * 10 AS lost_bytes, "
            "NULL::BIGINT AS lost_messages, i <> 1 AS sealed, TIMESTAMP '2026-07-28' AS started_at FROM range(6) t(i)"
        )
        con.execute(
            "CREATE TABLE ingested AS SELECT 'c2.ndjson' AS journal, 'torn tail' AS problem, "
            "TIMESTAMP '2026-07-28' AS ingested_at"
        )
        report_health(con)
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.splitlines()
    assert sum("gap: " in line for line in lines) == 3
    assert "auditor: 5 captures have gaps in all" in lines
    assert "auditor: journal c2.ndjson: torn tail" in lines
    assert any("1 capture has no seal" in line and line.endswith("c1") for line in lines)


def test_health_says_nothing_of_a_whole_record(capsys: pytest.CaptureFixture[str]) -> None:
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE captures AS SELECT 'c' AS capture_id, 0 AS lost_bytes, 0 AS lost_messages, true AS sealed, "
            "TIMESTAMP '2026-07-28' AS started_at"
        )
        con.execute("CREATE TABLE ingested AS SELECT 'c' AS journal, NULL AS problem, now()::TIMESTAMP AS ingested_at")
        report_health(con)
    assert capsys.readouterr().err == ""
