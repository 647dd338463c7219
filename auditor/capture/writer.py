"""Frame to record: parse, take the secrets out, read the envelope, append.

Rules. Redaction comes first: nothing derived from a text is kept that was not derived from its redacted form. When
redaction fails, the record keeps method, id and size, and no text. A batch gives a record for each of its elements,
cut out of the text byte for byte.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from auditor.files import private_dir
from auditor.journal.records import VERSION, Direction, Event, Http, Message, Oddity, Record, Seal, Start, stored
from auditor.journal.writer import JournalWriter
from auditor.redact.redactor import CaptureRedactor
from auditor.redact.result import Redacted
from auditor.wire.envelope import Envelope, envelope
from auditor.wire.jsontext import Malformed, Parsed, parse

EventName = Literal["eof", "exit", "stderr", "gap", "http", "resume", "warning"]

_LENIENT = json.JSONDecoder()
_NEXT = re.compile(r"[ \t\r\n,]*(?=[^] \t\r\n,])")


class CaptureWriter:
    """An open capture: takes what passed and writes its journal."""

    def __init__(self, capture_id: str, journal: JournalWriter, redactor: CaptureRedactor) -> None:
        self.capture_id = capture_id
        self.path = journal.path
        self._journal = journal
        self._redactor = redactor
        self._counts: Counter[str] = Counter()
        self.seq = journal.seq
        self._sealed = False
        self._last_ns = 0

    @classmethod
    def create(cls, folder: Path, start: Start, redactor: CaptureRedactor) -> "CaptureWriter":
        """Begin a capture in `folder`; what `start` says of command, environment and upstream is redacted here.

        Raises:
            StoreError: when the folder cannot be made.
            OSError: when the journal cannot be made.
        """
        journal = JournalWriter.create(private_dir(folder) / f"{start.capture}.ndjson")
        writer = cls(start.capture, journal, redactor)
        cmd, hits = redactor.argv(start.cmd)
        env, more = redactor.environ(start.env)
        hits = [*hits, *more]
        upstream = start.upstream
        if upstream is not None:
            upstream, more = redactor.url(upstream, "/upstream")
            hits += more
        writer._append(msgspec.structs.replace(start, v=VERSION, cmd=cmd, env=env, upstream=upstream, red=hits))
        return writer

    @classmethod
    def resume(cls, path: Path, redactor: CaptureRedactor, since: int = 1) -> "CaptureWriter":
        """Go on with the capture whose journal this is; what it holds stays as it is, but for a torn last line.

        Records from `since` on that the journal holds already are made again by the caller, and not written again.

        Raises:
            OSError: when the journal cannot be opened.
        """
        found = _Found(redactor, since)
        writer = cls(path.stem, JournalWriter.resume(path, found.visit), redactor)
        writer._counts, writer._last_ns = found.counts, found.last_ns
        writer.seq = min(since + found.resumes, writer._journal.seq)
        if writer.seq == writer._journal.seq:
            writer._resumed()
        return writer

    def _resumed(self) -> None:
        self._append(Event(seq=0, ts_ns=self._last_ns, ev="resume"))

    @property
    def lost_bytes(self) -> int:
        """Bytes that the journal says were lost."""
        return self._counts["lost"]

    def _append(self, record: Record) -> None:
        self._last_ns = record.ts_ns
        self.seq += 1
        if self.seq <= self._journal.seq:
            if self.seq == self._journal.seq:
                self._resumed()
            return
        self._counts[str(record.__struct_config__.tag)] += 1
        self._journal.append(record)

    def line(
        self, direction: Direction, ts_ns: int, data: bytes, wire_bytes: int, *,
        ch: int = 0, http: Http | None = None, torn: bool = False,
    ) -> None:  # fmt: skip
        """Record one text of a message channel: a message, a batch, or an oddity."""
        if not data.strip():
            return
        parsed = Malformed("torn line") if torn else parse(data)
        if torn and isinstance(whole := parse(data), Parsed):
            parsed = whole
        if isinstance(parsed, Malformed):
            self._odd(direction, ts_ns, data, wire_bytes, parsed.why, ch, http)
        elif isinstance(parsed.value, list) and parsed.value:
            self._batch(direction, ts_ns, data, ch, http)
        elif isinstance(parsed.value, dict):
            self._message(direction, ts_ns, data, wire_bytes, parsed, ch, http)
        else:
            self._odd(direction, ts_ns, data, wire_bytes, "not a JSON-RPC message", ch, http)

    def _batch(self, direction: Direction, ts_ns: int, data: bytes, ch: int, http: Http | None) -> None:
        for place, raw in enumerate(_elements(data)):
            parsed = parse(raw)
            if isinstance(parsed, Parsed):
                self._message(direction, ts_ns, raw, len(raw), parsed, ch, http, place)
            else:
                self._odd(direction, ts_ns, raw, len(raw), parsed.why, ch, http)

    def _message(
        self, direction: Direction, ts_ns: int, data: bytes, wire_bytes: int, parsed: Parsed,
        ch: int, http: Http | None, batch: int | None = None,
    ) -> None:  # fmt: skip
        done = self._redactor.message(data, parsed, direction)
        env = envelope(done.value) if done.error is None else _bare(parsed.value)
        text = stored(done.text) if done.error is None else {}
        self._append(Message(
            seq=0, ts_ns=ts_ns, dir=direction, bytes=wire_bytes, env=env, ch=ch, batch=batch, lenient=parsed.lenient,
            duplicates=parsed.duplicates, error=done.error, red=done.hits, http=http, **text,
        ))  # fmt: skip

    def _odd(
        self, direction: Direction, ts_ns: int, data: bytes, wire_bytes: int, why: str, ch: int, http: Http | None
    ) -> None:
        done = self._redactor.text(data, "/line")
        self._append(
            Oddity(seq=0, ts_ns=ts_ns, dir=direction, bytes=wire_bytes, why=why, ch=ch, http=http, red=done.hits,
                   **_text_of(done))
        )  # fmt: skip

    def stderr(self, ts_ns: int, data: bytes) -> None:
        """Record a line (or a piece of one) that the server wrote on stderr."""
        done = self._redactor.text(data, "/stderr")
        self.event(ts_ns, "stderr", text=done.text.decode("utf-8", "replace"), red=done.hits)

    def event(self, ts_ns: int, ev: EventName, **facts: Any) -> None:
        """Record something that is no message; `facts` are fields of `journal.records.Event`."""
        event = Event(seq=0, ts_ns=ts_ns, ev=ev, **facts)
        if self.seq >= self._journal.seq:
            self._counts["lost"] += event.lost_bytes or 0
        self._append(event)

    def flush(self) -> None:
        """Hand what was recorded to the system, so that a reader sees it."""
        self._journal.flush()

    def on_vanished(self, what: Callable[[], None]) -> None:
        """What to do when somebody has deleted the journal, before it is put back."""
        self._journal.on_vanished = what

    def sync(self) -> None:
        """Flush, and wait until it is on the disk."""
        self._journal.sync()

    def seal(self, ts_ns: int) -> None:
        """The capture is over: say so, and close the journal. May be called again when it raised.

        Raises:
            OSError: when the journal cannot be written.
        """
        if not self._sealed:
            n = self._counts
            seal = Seal(seq=0, ts_ns=ts_ns, messages=n["msg"], oddities=n["odd"], events=n["ev"], lost_bytes=n["lost"])
            self._journal.append(seal)
            self._sealed = True
        self._journal.sync()
        self._journal.close()


class _Found:
    """What a journal tells the writer that goes on with it: its counts, and to the redactor, which prompts are open."""

    def __init__(self, redactor: CaptureRedactor, since: int) -> None:
        self.counts: Counter[str] = Counter()
        self.last_ns = self.resumes = 0
        self._redactor, self._since = redactor, since

    def visit(self, record: Record) -> None:
        self.last_ns = record.ts_ns
        self.counts[str(record.__struct_config__.tag)] += 1
        if isinstance(record, Event):
            self.counts["lost"] += record.lost_bytes or 0
            self.resumes += record.ev == "resume" and record.seq >= self._since
        elif isinstance(record, Message) and record.raw is not None and _tells(record):
            raw = record.raw.encode()
            parsed = parse(raw)
            if isinstance(parsed, Parsed):
                self._redactor.message(raw, parsed, record.dir)


def _tells(record: Message) -> bool:
    """Whether a message opens or closes a prompt: answers to it are sensitive as its form says."""
    answer = record.dir == "c2s" and record.env.kind in ("result", "error")
    return answer or bool(record.env.keys) or record.env.method == "elicitation/create"


def _elements(batch: bytes) -> list[bytes]:
    """The elements of an array as they stand in the text; one that only lenient readers take is cut as they do."""
    try:
        return [bytes(raw) for raw in msgspec.json.decode(batch, type=list[msgspec.Raw])]
    except (msgspec.DecodeError, UnicodeDecodeError):
        text = batch.decode("utf-8-sig", "replace")
    found: list[bytes] = []
    at = text.index("[") + 1
    while (begin := _NEXT.match(text, at)) is not None:
        _, at = _LENIENT.raw_decode(text, begin.end())
        found.append(text[begin.end() : at].encode())
    return found


def _bare(value: dict[str, Any]) -> Envelope:
    """Of a message that could not be redacted: what pairs it, and nothing else."""
    full = envelope(value)
    return Envelope(full.kind, method=full.method, id=full.id, id_type=full.id_type, code=full.code)


def _text_of(done: Redacted) -> dict[str, Any]:
    return stored(done.text) if done.error is None else {}
