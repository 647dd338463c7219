"""The journal: whole records, chained; what is wrong with one is a value, and never stops the reading."""

import hashlib
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.journal.reader import Entry, read_journal
from auditor.journal.records import Event, Message, Record, Seal, Start, decode, encode, split
from auditor.journal.writer import JournalWriter
from auditor.wire.envelope import Envelope


def _filled(path: Path, messages: int = 5) -> list[bytes]:
    journal = JournalWriter.create(path)
    journal.append(Start(seq=0, ts_ns=1, v=1, capture=path.stem, transport="stdio"))
    for n in range(messages):
        env = Envelope("request", method="ping", id=str(n), id_type="integer")
        journal.append(Message(seq=0, ts_ns=2 + n, dir="c2s", bytes=9, env=env, raw=f'{{"id":{n}}}'))
    journal.append(Seal(seq=0, ts_ns=99, messages=messages))
    journal.close()
    return path.read_bytes().splitlines(keepends=True)


def _problems(path: Path) -> list[str | None]:
    return [entry.problem for entry in read_journal(path)]


def test_every_record_names_the_hash_of_itself_and_the_one_before(tmp_path: Path) -> None:
    previous = ""
    for number, line in enumerate(_filled(tmp_path / "a.ndjson")):
        body, _, tail = line.decode().rpartition(',"h":')
        assert json.loads('{"h":' + tail)["h"] == hashlib.sha256((previous + body).encode()).hexdigest()
        previous = json.loads(line)["h"]
        assert json.loads(line)["seq"] == number


def test_a_torn_tail_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    lines = _filled(path)
    for cut in (1, len(lines[-1]) - 1):
        path.write_bytes(b"".join(lines[:-1]) + lines[-1][:cut])
        assert _problems(path) == [None] * (len(lines) - 1) + ["torn tail"]


def test_reading_goes_on_from_an_offset(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    _filled(path)
    entries = list(read_journal(path))
    third = entries[2]
    assert third.record is not None
    assert list(read_journal(path, third.end, third.record.h)) == entries[3:]


@pytest.mark.parametrize("place", [0, 2, 5])
def test_a_changed_record_breaks_the_chain_there_alone(tmp_path: Path, place: int) -> None:
    path = tmp_path / "a.ndjson"
    lines = _filled(path)
    lines[place] = lines[place].replace(b'"ts_ns":', b'"ts_ns":7', 1)
    path.write_bytes(b"".join(lines))
    assert [n for n, problem in enumerate(_problems(path)) if problem] == [place]


def test_a_record_taken_out_or_moved_breaks_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    lines = _filled(path)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    assert _problems(path)[2] == "broken chain"
    path.write_bytes(b"".join([lines[0], lines[2], lines[1], *lines[3:]]))
    assert _problems(path)[1:4] == ["broken chain"] * 3


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_stands_in_the_file_reading_ends_and_raises_nothing(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "a.ndjson"
    path.unlink(missing_ok=True)
    content = bytearray(b"".join(_filled(path)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 20))] = data.draw(st.binary(max_size=20))
    path.write_bytes(content)
    entries = list(read_journal(path))
    assert all(isinstance(entry, Entry) for entry in entries)
    assert [e.end for e in entries] == sorted(e.end for e in entries)


@pytest.mark.parametrize(
    "line",
    [b"", b"null", b"[" * 5000, b'{"k":"msg"}', b'{"k":"nope","seq":0}', b'{"k":"ev","seq":0,"ts_ns":1,"ev":"\xff"}'],
)
def test_a_line_that_is_no_record_is_named_and_passed_over(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "a.ndjson"
    lines = _filled(path)
    path.write_bytes(lines[0] + line + b"\n" + b"".join(lines[1:]))
    problems = _problems(path)
    assert problems[1] == "unreadable record"
    assert len(problems) == len(lines) + 1


@given(st.text(max_size=30), st.integers(0, 2**62))
def test_a_record_comes_back_as_it_was(text: str, ts_ns: int) -> None:
    event = Event(seq=3, ts_ns=ts_ns, ev="stderr", text=text.encode("utf-8", "replace").decode())
    line, digest = encode(event, "0" * 64)
    assert msgspec.structs.replace(decode(line), h="") == event
    parts = split(line[:-1])
    assert parts is not None
    assert parts[1] == digest


def test_a_journal_is_for_its_owner_alone_and_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    _filled(path)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        JournalWriter.create(path)


def test_going_on_cuts_a_torn_tail_and_keeps_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    lines = _filled(path)
    path.write_bytes(b"".join(lines[:4]) + lines[4][:10])
    shown: list[Record] = []
    journal = JournalWriter.resume(path, shown.append)
    assert [record.seq for record in shown] == [0, 1, 2, 3]
    assert journal.seq == 4
    journal.append(Event(seq=0, ts_ns=50, ev="resume"))
    journal.close()
    entries = list(read_journal(path))
    assert [e.problem for e in entries] == [None] * 5
    assert [e.record.seq for e in entries if e.record] == [0, 1, 2, 3, 4]


def test_what_could_not_be_written_stays_gathered_and_is_written_later(tmp_path: Path) -> None:
    journal = JournalWriter.create(tmp_path / "a.ndjson")
    good, journal._fd = journal._fd, -1
    journal.append(Start(seq=0, ts_ns=1, v=1, capture="a", transport="stdio"))
    with pytest.raises(OSError, match="Bad file descriptor"):
        journal.flush()
    journal._fd = good
    journal.append(Seal(seq=0, ts_ns=2, messages=0))
    journal.close()
    assert _problems(tmp_path / "a.ndjson") == [None, None]


def test_going_on_leaves_a_spoiled_record_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    lines = _filled(path)
    spoiled = b"".join([lines[0], b"spoiled\n", *lines[2:4]])
    path.write_bytes(spoiled)
    journal = JournalWriter.resume(path, lambda _: None)
    journal.append(Event(seq=0, ts_ns=50, ev="resume"))
    journal.close()
    assert path.read_bytes().startswith(spoiled)
    assert _problems(path) == [None, "unreadable record", "broken chain", None, None]
