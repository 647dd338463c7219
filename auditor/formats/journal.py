"""A journal from elsewhere: its chain is checked, and its records are recorded anew, through this store's redaction.

Rules. What is broken is refused, for a journal is evidence or nothing. One that only lacks its end (its recorder was
killed) is taken, and says so.
"""

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path

from auditor.errors import InputError
from auditor.formats.model import Happening, Item, Opening, Text, refuse
from auditor.journal.reader import read_journal
from auditor.journal.records import VERSION, Event, Message, Oddity, Seal, Start


def read(path: Path) -> Iterator[Item]:
    """The items of a journal.

    Raises:
        InputError: with the number of the record that is broken, or when the format is newer than this program.
    """
    batch: list[Message] = []
    last_ns = 0
    try:
        for number, entry in enumerate(read_journal(path), 1):
            if entry.problem == "torn tail":
                yield from _joined(batch)
                yield Happening(last_ns, "warning", text="the journal ends in the middle of a record")
                return
            record = entry.record
            if record is None or entry.problem:
                raise refuse(path, number, entry.problem or "unreadable record")
            last_ns = record.ts_ns
            if isinstance(record, Message) and record.batch is not None and (record.batch > 0 or not batch):
                batch.append(record)
                continue
            yield from _joined(batch)
            batch = []
            if isinstance(record, Message) and record.batch is not None:
                batch = [record]
            elif isinstance(record, Start):
                yield _opening(record, path, number)
            elif isinstance(record, Message | Oddity):
                yield _text(record)
            elif isinstance(record, Event):
                yield _happening(record)
            elif isinstance(record, Seal):
                return
    except OSError as e:
        raise InputError(f"{path} cannot be read: {e.strerror}") from e


def _opening(record: Start, path: Path, number: int) -> Opening:
    if record.v > VERSION:
        raise refuse(path, number, f"the journal has format {record.v}, which this auditor does not know")
    return Opening(
        record.ts_ns, record.cmd, record.env, record.name, record.upstream, record.cwd, record.pid,
        record.inferred_directions,
    )  # fmt: skip


def _bytes(record: Message | Oddity) -> bytes | None:
    if record.b64 is not None:
        try:
            return base64.b64decode(record.b64)
        except binascii.Error:
            return None
    return record.raw.encode() if record.raw is not None else None


def _text(record: Message | Oddity) -> Item:
    data = _bytes(record)
    if data is None:  # its text was not kept where it was recorded
        return Happening(record.ts_ns, "gap", lost_bytes=record.bytes, lost_messages=1, http=record.http)
    torn = isinstance(record, Oddity) and record.why == "torn line"
    return Text(record.ts_ns, record.dir, data, record.bytes, record.ch, record.http, torn)


def _joined(batch: list[Message]) -> Iterator[Item]:
    """The text of a batch, made of those of its messages."""
    texts = [data for data in map(_bytes, batch) if data is not None]
    if texts:
        data = b"[" + b",".join(texts) + b"]"
        first = batch[0]
        yield Text(first.ts_ns, first.dir, data, len(data), first.ch, first.http)


def _happening(record: Event) -> Happening:
    return Happening(
        record.ts_ns, record.ev, record.dir, record.rc, record.signal, record.text, record.lost_bytes,
        record.lost_messages, record.http,
    )  # fmt: skip
