"""Reading lines, with and without care."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.store import parse
from auditor.store.parse import Rows, State, read
from tests.store.journals import T0_NS, conversation, lines

WHOLE = lines("one", conversation(6))


def taken(data: bytes, *, careful: bool, at_once: bool = True) -> tuple[State, Rows]:
    """What reading gives, in one piece or line by line; rows as they mean, not as they are spelled."""
    state, rows = State(), Rows()
    for piece in [data] if at_once else data.splitlines(keepends=True):
        read(piece, "one", state, rows, careful=careful)
    return state, rows


def meaning(rows: Rows) -> dict[str, list[object]]:
    """Rows as objects, without the fields that hold a default."""
    out: dict[str, list[object]] = {}
    for table in ("messages", "events", "oddities", "redactions", "http"):
        out[table] = [msgspec.json.decode(row) for row in getattr(rows, table)]
    return out


def test_a_whole_journal_is_read_alike_in_every_way() -> None:
    data = b"".join(WHOLE)
    state, rows = taken(data, careful=True)
    assert (state.records, state.messages, state.sealed, state.problems) == (len(WHOLE), 15, True, [])
    for careful, at_once in ((True, False), (False, True), (False, False)):
        other, others = taken(data, careful=careful, at_once=at_once)
        assert other == state
        assert _without_order(meaning(others)) == _without_order(meaning(rows))


def test_messages_without_secrets_and_http_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else loading takes twice the time: the shape of a line has changed, and `_skim` has to follow."""
    looked_at: list[bytes] = []
    monkeypatch.setattr(parse, "_read_line", lambda line, *rest: looked_at.append(line))
    state, rows = State(seq=0, hash=WHOLE[0][-67:-3].decode()), Rows()
    read(b"".join(WHOLE[1:14]), "one", state, rows, careful=False)
    assert (looked_at, state.messages, state.seq) == ([], 13, 13)
    assert state.ts_ns == T0_NS + 13 * 10**6
    assert rows.widest == max(map(len, rows.messages))


def _without_order(tables: dict[str, list[object]]) -> dict[str, list[bytes]]:
    return {t: [msgspec.json.encode(row, order="sorted") for row in rows] for t, rows in tables.items()}


@settings(max_examples=300, deadline=None)
@given(at=st.integers(0, 10**6), gone=st.integers(0, 30), added=st.binary(max_size=30))
def test_damage_costs_the_records_it_stands_in_and_no_other(at: int, gone: int, added: bytes) -> None:
    """A stretch of bytes flipped, lost or added is noticed, whatever it does; care or none makes no difference."""
    text = bytearray(b"".join(WHOLE))
    at %= len(text)
    text[at : at + gone] = added
    data = bytes(text)
    data = data[: data.rfind(b"\n") + 1]
    state, rows = taken(data, careful=True)
    seqs = [row["seq"] for row in meaning(rows)["messages"]]  # type: ignore[index]
    assert seqs == sorted(set(seqs))
    left = data.splitlines(keepends=True)
    assert len(seqs) >= sum(b'"k":"msg"' in line for line in WHOLE if line in left)
    assert state.problems or data in b"".join(WHOLE)
    quick, others = taken(data, careful=False)
    assert quick == state
    assert _without_order(meaning(others)) == _without_order(meaning(rows))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.integers(0, len(WHOLE)))
def test_any_line_at_all_is_taken(junk: bytes, place: int) -> None:
    line = junk.replace(b"\n", b" ") + b"\n"
    state, rows = taken(b"".join([*WHOLE[:place], line, *WHOLE[place:]]), careful=False)
    assert state.messages == 15
    assert state.records == len(WHOLE) + 1
    assert len(rows.oddities) >= 2
    assert any("cannot be read" in problem for problem in state.problems)
