"""Reading a stretch of a journal: its chain is checked, and its records become rows for the loader.

Rules. Nothing is loaded that was not decoded, and nothing that was decoded is left out: a record whose link is broken
is loaded and reported. What cannot be read becomes an oddity in its place. `seq` grows strictly, whatever a journal
claims, so that a row has one place.
"""

import hashlib
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

import msgspec

from auditor.journal import records
from auditor.journal.records import Event, Http, Message, Oddity, Record, Seal, Start

_SKIP = 1 << 40  # a jump of `seq` beyond this is damage, not a loss
_LOST = "?"  # in place of a hash: the record before cannot be read, and its hash with it
_KEPT = 64 << 10  # characters of an unreadable record that an oddity shows; the journal keeps all
_I64, _I32 = 1 << 63, 1 << 31

_MESSAGE, _SEQ, _MARK = b'{"k":"msg","dir":"', b',"seq":', b',"h":"'  # the first and the last fields of a message,
_TAIL_BYTES = 72 + 60  # the latter in so many bytes
_QUOTE = ord('"')  # what stands before them when the last field is the text: neither secrets nor HTTP facts follow
_TS = re.compile(rb',"ts_ns":(-?\d{1,19}),"h":"[0-9a-f]{64}"}$')

_encode = msgspec.json.Encoder().encode
_decode = records.decode


class State(msgspec.Struct):
    """Where reading stands: the last record's hash ("" before the first), seq (-1 before it) and time, how many
    records and how many messages were read, whether the last was a seal, and what was wrong."""

    hash: str = ""
    seq: int = -1
    ts_ns: int = 0
    records: int = 0
    messages: int = 0
    sealed: bool = False
    problems: list[str] = []

    def blame(self, text: str) -> None:
        """Note what is wrong; only the first few are kept."""
        if len(self.problems) < 3:
            self.problems.append(text)


class Rows(msgspec.Struct):
    """What came out, as NDJSON lines by table. `messages`, `events` and `oddities` are records with `c`, the
    capture, in front; `starts` and `seals` are records themselves."""

    messages: list[bytes] = []
    events: list[bytes] = []
    oddities: list[bytes] = []
    redactions: list[bytes] = []
    http: list[bytes] = []
    starts: list[tuple[str, Start]] = []
    seals: list[tuple[str, Seal]] = []
    widest: int = 0


class _RedactionRow(msgspec.Struct):
    c: str
    seq: int
    dir: str | None
    place: str
    kind: str
    fp: str | None


class _HttpRow(msgspec.Struct):
    c: str
    seq: int
    ts_ns: int
    dir: str | None
    http: Http


class NewerJournal(Exception):
    """The journal has a format that this program does not know; its version is the argument."""


def read(data: bytes, capture: str, state: State, rows: Rows, *, careful: bool = True) -> None:
    """Read whole lines (each ends in LF); adds to `rows` and moves `state` on.

    When not `careful`, lines that look as they must and whose link is right are left for the database to decode. It
    is as strict, but a line that it refuses stops its whole load, which is then to be done again with care.

    Raises:
        NewerJournal: at a start record of a later format.
    """
    head = b'{"c":' + _encode(capture) + b","
    lines = data[:-1].split(b"\n")
    at = 0
    while at < len(lines):
        if not careful and not state.sealed:
            at = _skim(lines, at, head, state, rows)
        if at < len(lines):
            _read_line(lines[at], head, capture, state, rows)
            at += 1


def _skim(lines: list[bytes], at: int, head: bytes, state: State, rows: Rows) -> int:
    """Take messages without secrets and HTTP facts as they stand; gives the index of the first other line."""
    append, sha256 = rows.messages.append, hashlib.sha256
    hash_, seq, last = state.hash.encode(), state.seq, b""
    for line in islice(lines, at, None):
        digest, tail = line[-66:-2], line.find(_SEQ)
        if not (
            line.startswith(_MESSAGE)
            and tail > len(line) - _TAIL_BYTES
            and line[tail - 1] == _QUOTE
            and line.startswith(b',"seq":%d,"ts_ns":' % (seq + 1), tail)
            and line[-72:-66] == _MARK
            and sha256(hash_ + line[:-72]).hexdigest().encode() == digest
        ):
            break
        append(head + line[1:])
        hash_, last, seq = digest, line, seq + 1
    count = seq - state.seq
    if count:
        rows.widest = max(rows.widest, len(head) - 1 + max(map(len, lines[at : at + count])))
        when = _TS.search(last)
        state.ts_ns = int(when[1]) if when else state.ts_ns
        state.hash, state.seq = hash_.decode(), seq
        state.records += count
        state.messages += count
    return at + count


def _read_line(line: bytes, head: bytes, capture: str, state: State, rows: Rows) -> None:
    body, mark, digest = line[:-72], line[-72:-66], line[-66:-2]
    linked = mark == _MARK and records.link(state.hash, body).encode() == digest
    try:
        record = _decode(line)
        out = head + _encode(record)[1:]
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError):
        _unreadable(line, head, state, rows)
        return
    if not linked or record.seq != state.seq + 1 or state.sealed or not _fits(record):
        placed = _place(record, linked, line, head, state, rows)
        if placed is None:
            return
        record, out = placed, head + _encode(placed)[1:]
    state.hash, state.seq, state.ts_ns = record.h, record.seq, record.ts_ns
    state.records += 1
    rows.widest = max(rows.widest, len(out))
    if isinstance(record, Message):
        rows.messages.append(out)
        state.messages += 1
        _aside(record, record.dir, capture, rows)
    else:
        _other(record, out, capture, line, head, state, rows)


def _other(record: Record, out: bytes, capture: str, line: bytes, head: bytes, state: State, rows: Rows) -> None:
    """Put a record that is no message where it belongs."""
    if isinstance(record, Oddity):
        rows.oddities.append(out)
        _aside(record, record.dir, capture, rows)
        return
    if isinstance(record, Start):
        if record.v > records.VERSION:
            raise NewerJournal(record.v)
        if record.capture != capture:
            state.blame(f"the journal says it is capture {record.capture[:80]}")
        if record.seq != 0:
            state.blame(f"a second start stands at record {record.seq}")
            rows.oddities.append(_damage(line, head, record.seq, record.ts_ns, "journal: a second start"))
            return
        rows.starts.append((capture, record))
    elif isinstance(record, Seal):
        state.sealed = True
        rows.seals.append((capture, record))
    rows.events.append(out)
    _aside(record, getattr(record, "dir", None), capture, rows)


def _aside(record: Record, direction: str | None, capture: str, rows: Rows) -> None:
    for where, kind, fp in ((r.where, r.kind, r.fp) for r in getattr(record, "red", ())):
        rows.redactions.append(_encode(_RedactionRow(capture, record.seq, direction, where, kind, fp)))
    http: Http | None = getattr(record, "http", None)
    if http is not None:
        rows.http.append(_encode(_HttpRow(capture, record.seq, record.ts_ns, direction, http)))


def _place(record: Record, linked: bool, line: bytes, head: bytes, state: State, rows: Rows) -> Record | None:
    """A record that does not follow: say what is wrong, and give it with a seq of its own (None: unreadable)."""
    if not _fits(record):
        _unreadable(line, head, state, rows)
        return None
    at, last = state.records, state.seq
    if state.sealed:
        state.blame(f"records stand behind the seal, from record {at}")
        state.sealed = False
    if record.seq > last + 1:
        state.blame(f"records {last + 1} to {record.seq - 1} are missing")
    elif record.seq <= last:
        state.blame(f"record {at} stands out of order (it says {record.seq})")
    seq = record.seq if last < record.seq < last + _SKIP else last + 1
    if not linked and state.hash != _LOST:
        state.blame(f"the chain is broken at record {seq}")
        rows.oddities.append(_damage(line, head, seq, record.ts_ns, "journal: the chain is broken here"))
    return msgspec.structs.replace(record, seq=seq, h=record.h[:64])


def _unreadable(line: bytes, head: bytes, state: State, rows: Rows) -> None:
    seq = state.seq + 1
    state.blame(f"record {seq} cannot be read")
    rows.oddities.append(_damage(line, head, seq, state.ts_ns, "journal: unreadable record"))
    parts = records.split(line)
    state.hash, state.seq = parts[1] if parts else _LOST, seq
    state.records += 1


def _damage(line: bytes, head: bytes, seq: int, ts_ns: int, why: str) -> bytes:
    row: dict[str, Any] = {"seq": seq, "ts_ns": ts_ns, "bytes": len(line) + 1, "why": why}
    return head + _encode(row | records.stored(line[:_KEPT]))[1:]


def _fits(record: Record) -> bool:
    """Whether every number has room in its column."""
    if not (-_I64 < record.ts_ns < _I64 and 0 <= record.seq < _I64 and len(record.h) <= 64):
        return False
    if type(record) is Message:
        batch, code = record.batch, record.env.code
        return (
            0 <= record.bytes < _I64
            and 0 <= record.ch < _I64
            and (batch is None or 0 <= batch < _I32)
            and (code is None or -_I64 <= code < _I64)
            and (record.http is None or _http_fits(record.http))
        )
    return _others_fit(record)


def _others_fit(record: Record) -> bool:
    if isinstance(record, Oddity):
        return all(0 <= n < _I64 for n in (record.bytes, record.ch)) and _http_fits(record.http)
    if isinstance(record, Event):
        wide = (record.pid, record.lost_bytes, record.lost_messages)
        return _all_within(wide, _I64) and _all_within((record.rc, record.signal), _I32) and _http_fits(record.http)
    if isinstance(record, Seal):
        return _all_within((record.messages, record.oddities, record.events, record.lost_bytes), _I64)
    return isinstance(record, Start) and _all_within((record.pid, record.v), _I64)


def _http_fits(http: Http | None) -> bool:
    return http is None or (_all_within((http.ex, http.conn, http.bytes), _I64) and _all_within((http.status,), _I32))


def _all_within(numbers: Iterable[int | None], limit: int) -> bool:
    return all(n is None or -limit <= n < limit for n in numbers)
