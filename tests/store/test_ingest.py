"""Journals into tables: once, from where they were left, and whatever stands in them."""

import os
from pathlib import Path

import duckdb
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.journal.records import Event, Message, Seal, encode
from auditor.store import database, ingest, plan
from auditor.wire.envelope import Envelope
from tests.store import journals
from tests.store.journals import conversation, count, dump, lines, say, write

Con = duckdb.DuckDBPyConnection


@pytest.fixture
def con(tmp_path: Path) -> Con:
    return database.connect(tmp_path / "a.duckdb")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "a.duckdb.journals"


def problem(con: Con, capture: str = "one") -> str | None:
    row = con.execute("SELECT problem FROM ingested WHERE capture_id = ?", [capture]).fetchone()
    assert row is not None
    return row[0]


def test_every_record_finds_its_table(con: Con, folder: Path) -> None:
    write(folder, "one", lines("one", conversation()))
    assert ingest.ingest(con, folder) == ["one"]
    assert {t: count(con, t) for t in journals.BASE} == {
        "captures": 1, "messages": 7, "redactions": 1, "events": 5, "http_facts": 1, "oddities": 1,
    }  # fmt: skip
    row = con.execute(
        "SELECT transport, cmd, sealed, exit_code, lost_bytes, lost_messages, ended_at > started_at FROM captures"
    ).fetchone()
    assert row == ("stdio", ["server", "--stdio"], True, 3, 7, 2, True)
    assert con.execute("SELECT raw, rpc_id, rpc_id_type, tool FROM messages WHERE seq = 4").fetchone() == (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy","arguments":{"n":1,"ä":"…"}}}',
        "1", "integer", "deploy",
    )  # fmt: skip
    assert con.execute("SELECT seq, channel, session_header FROM messages WHERE channel <> 0").fetchall() == [
        (6, 3, "s-1")
    ]
    assert con.execute("SELECT seq, place, fingerprint FROM redactions").fetchall() == [
        (7, "/result/content/0", "ab12")
    ]
    assert problem(con) is None


def test_again_does_nothing(con: Con, folder: Path) -> None:
    write(folder, "one", lines("one", conversation()))
    ingest.ingest(con, folder)
    before = dump(con)
    assert ingest.ingest(con, folder) == []
    assert dump(con) == before


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, 10_000), max_size=3))
def test_any_growth_gives_the_same_rows(con: Con, folder: Path, cuts: list[int]) -> None:
    """A journal read as it grows, cut anywhere, gives what it gives when it is read whole."""
    data = b"".join(lines("one", conversation()))
    write(folder, "one", [data])
    ingest.ingest(con, folder)
    grown = os.urandom(4).hex()
    for cut in [*sorted(c % len(data) for c in cuts), len(data)]:
        write(folder, grown, [data[:cut]])
        ingest.ingest(con, folder)
    for table in journals.BASE:
        query = f"SELECT * EXCLUDE (capture_id) FROM {table} WHERE capture_id = ? ORDER BY ALL"  # noqa: S608
        assert con.execute(query, [grown]).fetchall() == con.execute(query, ["one"]).fetchall()
    assert problem(con, grown) == "the journal says it is capture one"


def test_a_torn_tail_waits_and_is_reported_when_it_stays(con: Con, folder: Path) -> None:
    whole = lines("one", conversation())
    path = write(folder, "one", [*whole[:5], whole[5][:40]])
    assert ingest.ingest(con, folder) == ["one"]
    assert problem(con) is None
    assert ingest.pending(con, folder) == []
    os.utime(path, (1, 1))
    assert ingest.ingest(con, folder) == []
    assert "middle of a record" in (problem(con) or "")
    assert ingest.pending(con, folder) == []
    write(folder, "one", whole)
    assert ingest.ingest(con, folder) == ["one"]
    assert problem(con) is None
    assert count(con, "messages") == 7


def test_a_broken_chain_is_reported_and_nothing_is_lost(con: Con, folder: Path) -> None:
    whole = lines("one", conversation())
    whole[5] = whole[5].replace(b"deploy", b"deplox").replace(b'"isError":false', b'"isError":true')
    whole[4] = whole[4].replace(b"deploy", b"deplox")
    write(folder, "one", whole)
    ingest.ingest(con, folder)
    assert count(con, "messages") == 7
    assert problem(con) == "the chain is broken at record 4"
    broken = con.execute("SELECT seq, direction, why FROM oddities WHERE why LIKE 'journal%'").fetchall()
    assert broken == [(4, None, "journal: the chain is broken here")]


def test_a_record_that_was_taken_out_is_missed(con: Con, folder: Path) -> None:
    whole = lines("one", conversation())
    del whole[4]
    write(folder, "one", whole)
    ingest.ingest(con, folder)
    assert count(con, "messages") == 6
    assert problem(con) == (
        "records 4 to 4 are missing; the chain is broken at record 5; the seal counts 7 messages, 6 are here"
    )


def test_records_in_another_order_keep_a_place_each(con: Con, folder: Path) -> None:
    whole = lines("one", conversation())
    whole[3], whole[4] = whole[4], whole[3]
    write(folder, "one", whole)
    ingest.ingest(con, folder)
    assert count(con, "messages") == 7
    assert con.execute("SELECT count(DISTINCT seq) FROM messages").fetchone() == (7,)
    assert "out of order" in (problem(con) or "")


def test_what_stands_behind_a_seal_is_loaded_and_reported(con: Con, folder: Path) -> None:
    whole = lines("one", conversation())
    write(folder, "one", [*whole, b'{"k":"junk"}\n', whole[3]])
    ingest.ingest(con, folder)
    assert "behind the seal" in (problem(con) or "")
    assert count(con, "messages") == 8


def test_a_journal_without_its_start_is_loaded(con: Con, folder: Path) -> None:
    write(folder, "one", lines("one", conversation())[1:])
    ingest.ingest(con, folder)
    assert count(con, "messages") == 7
    assert con.execute("SELECT transport, started_at = (SELECT min(ts) FROM messages) FROM captures").fetchone() == (
        "unknown", True,
    )  # fmt: skip
    assert "missing" in (problem(con) or "")


def test_a_journal_of_a_newer_format_is_left_alone(con: Con, folder: Path) -> None:
    line, _ = encode(msgspec.structs.replace(journals.start("one"), v=99), "")
    write(folder, "one", [line])
    write(folder, "two", lines("two", conversation()))
    assert ingest.ingest(con, folder) == ["two"]
    assert count(con, "captures") == 1
    assert "newer" in (problem(con) or "")


def test_a_journal_that_says_it_is_another_stays_itself(con: Con, folder: Path) -> None:
    write(folder, "two", lines("two", conversation()))
    write(folder, "one", lines("two", conversation()))
    ingest.ingest(con, folder)
    assert count(con, "captures") == 2
    assert problem(con) == "the journal says it is capture two"


def test_a_journal_that_lost_its_end_is_reported_once(con: Con, folder: Path) -> None:
    path = write(folder, "one", lines("one", conversation()))
    ingest.ingest(con, folder)
    before = dump(con)
    os.truncate(path, 100)
    assert ingest.ingest(con, folder) == []
    assert "shorter" in (problem(con) or "")
    assert ingest.pending(con, folder) == []
    assert dump(con) == before


def test_a_seal_that_counts_otherwise_is_reported(con: Con, folder: Path) -> None:
    whole = lines("one", conversation(), sealed=False)
    seal, _ = encode(Seal(seq=len(whole), ts_ns=journals.T0_NS, messages=9), whole[-1][-67:-3].decode())
    write(folder, "one", [*whole, seal])
    ingest.ingest(con, folder)
    assert problem(con) == "the seal counts 9 messages, 7 are here"


HOSTILE = [
    Message(seq=1, ts_ns=10**40, dir="c2s", bytes=1, env=Envelope("request")),
    Message(seq=1, ts_ns=1, dir="c2s", bytes=2**63, env=Envelope("request")),
    Message(seq=1, ts_ns=1, dir="c2s", bytes=1, env=Envelope("request", code=-(2**70))),
    Message(seq=1, ts_ns=1, dir="c2s", bytes=1, ch=2**64, env=Envelope("request")),
    Message(seq=1, ts_ns=1, dir="c2s", bytes=1, batch=2**31, env=Envelope("request")),
    Message(seq=2**62, ts_ns=1, dir="c2s", bytes=1, env=Envelope("request", id="\x00", method="a\x00b")),
    Event(seq=1, ts_ns=1, ev="exit", rc=2**31),
    Event(seq=1, ts_ns=1, ev="gap", lost_bytes=2**63),
    Seal(seq=1, ts_ns=1, messages=2**80),
]
LINES = [
    b"\n", b"{}\n", b"[]\n", b"null\n", b"\xff\xfe\n", b"\x00" * 100 + b"\n", b"[" * 100_000 + b"\n",
    b'{"k":"msg","seq":1,"x":' + b"[" * 50_000 + b"]" * 50_000 + b"}\n",
    b'{"k":"msg","seq":' + b"9" * 5000 + b"}\n",
    b'{"k":"msg","seq":1,"ts_ns":1,"dir":"up","bytes":1,"env":{"kind":"request"}}\n',
    b'{"k":"start","seq":0,"ts_ns":1,"v":1,"capture":"one","transport":"stdio","env":{"a":1}}\n',
]  # fmt: skip


@pytest.mark.parametrize("index", range(len(HOSTILE) + len(LINES)))
def test_hostile_records_stop_nothing(con: Con, folder: Path, index: int) -> None:
    """Each stands between good records, which are all loaded; it is reported itself."""
    whole = lines("one", conversation())
    if index < len(HOSTILE):
        try:
            bad, _ = encode(HOSTILE[index], "")
        except OverflowError:
            bad = b'{"k":"msg","seq":1,"ts_ns":' + b"9" * 30 + b"}\n"
    else:
        bad = LINES[index - len(HOSTILE)]
    write(folder, "one", [*whole[:4], bad, *whole[4:]])
    write(folder, "two", lines("two", conversation()))
    assert ingest.ingest(con, folder) == ["one", "two"]
    assert con.execute("SELECT count(*) FROM messages WHERE raw IS NOT NULL").fetchone() == (14,)
    assert problem(con)
    assert problem(con, "two") is None


def test_a_line_of_twenty_megabytes(con: Con, folder: Path) -> None:
    big = say("s2c", id=1, result={"text": "é" * 10_000_000})
    write(folder, "one", lines("one", [*conversation(), big]))
    ingest.ingest(con, folder)
    assert con.execute("SELECT max(strlen(raw)) FROM messages").fetchone() == (len((big.raw or "").encode()),)


def test_processes_take_no_modules_from_the_folder_they_are_started_in(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(2):
        write(folder, f"c{n}", lines(f"c{n}", conversation(30)))
    strange = tmp_path / "strange"
    strange.mkdir()
    for name in ("msgspec", "hashlib", "queue", "auditor"):
        (strange / f"{name}.py").write_text(f"open({str(strange / 'taken')!r}, 'a').write({name!r})")
    monkeypatch.chdir(strange)
    monkeypatch.setattr(plan, "JOB_BYTES", 3000)
    monkeypatch.setattr(ingest, "ALONE_BYTES", 0)
    con = database.connect(tmp_path / "parted.duckdb")
    assert ingest.ingest(con, folder) == ["c0", "c1"]
    assert not (strange / "taken").exists()


def test_many_processes_read_what_one_reads(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals cut into many jobs, by workers of their own, give the same rows; damage at a cut included."""
    for n in range(5):
        whole = lines(f"c{n}", conversation(60 * n))
        if n == 3:
            whole[40] = whole[40].replace(b"deploy", b"deplox")
            whole[80] = b"not a record\n"
        write(folder, f"c{n}", whole)
    alone = database.connect(tmp_path / "alone.duckdb")
    ingest.ingest(alone, folder)
    monkeypatch.setattr(plan, "JOB_BYTES", 3000)
    monkeypatch.setattr(ingest, "ALONE_BYTES", 0)
    parted = database.connect(tmp_path / "parted.duckdb")
    ingest.ingest(parted, folder)
    assert dump(parted) == dump(alone)
    ledger = "SELECT * EXCLUDE (ingested_at) FROM ingested ORDER BY ALL"
    assert parted.execute(ledger).fetchall() == alone.execute(ledger).fetchall()
    assert problem(alone, "c3") == (
        "the chain is broken at record 40; record 80 cannot be read; the seal counts 363 messages, 362 are here"
    )
