"""Bringing a foreign recording in: it becomes journals like any other, through the same redaction.

Rules. A capture is named by the content of its file, so importing twice changes nothing. The journals are written
aside, and take their names when the whole file was understood: a refused file leaves nothing behind.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from auditor import __version__
from auditor.capture.writer import CaptureWriter
from auditor.errors import InputError, StoreError
from auditor.files import journals_dir, private_dir
from auditor.formats.detect import reader_for
from auditor.formats.model import Happening, Item, Opening, Text, utf8
from auditor.journal.records import VERSION, Http, Start
from auditor.redact.redactor import Redactor
from auditor.redact.result import Redaction

_HEADER_FACTS = ("ctype", "accept", "proto", "last_event_id", "mcp_method", "mcp_name")


def import_file(path: Path, fmt: str | None, db: Path) -> list[str]:
    """Import a recording; gives its captures, those that were there already included.

    `fmt` names the format; None finds it by looking at the file. The journals wait for the next refresh.

    Raises:
        InputError: when the file cannot be read or is not understood; nothing is then imported.
        StoreError: when the journals cannot be written.
    """
    reader = reader_for(path, fmt)
    name = f"import-{_digest(path)[:16]}"
    folder = private_dir(journals_dir(db))
    aside = folder / f".{name}.{os.getpid()}"
    try:
        private_dir(aside)
        written = list(_write(reader(path), path, aside, name, Redactor.load(db)))
        if not written:
            raise InputError(f"{path} holds nothing to import")
        for capture in written:
            target = folder / f"{capture}.ndjson"
            if not target.exists():
                (aside / target.name).rename(target)
    except OSError as e:
        raise StoreError(f"cannot write to {folder}: {e.strerror}; name another database with --db") from e
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return written


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as f:
            return hashlib.file_digest(f, "sha256").hexdigest()
    except OSError as e:
        raise InputError(f"{path} cannot be read: {e.strerror}") from e


def _write(items: Iterator[Item], path: Path, folder: Path, name: str, redactor: Redactor) -> Iterator[str]:
    """Write the journals of one file; gives the captures as they are finished."""
    into: _Capture | None = None
    count, last_ns = 0, 0
    for item in items:
        if isinstance(item, Opening):
            if into is not None:
                yield into.finish(last_ns)
            count += 1
            into = _Capture(item, path, folder, name if count == 1 else f"{name}-{count}", redactor)
        elif into is not None:
            into.put(item)
        last_ns = item.ts_ns
    if into is not None:
        yield into.finish(last_ns)


class _Capture:
    """One capture being written. HTTP facts are redacted here, texts by the writer."""

    def __init__(self, item: Opening, path: Path, folder: Path, name: str, redactor: Redactor) -> None:
        start = Start(
            seq=0, ts_ns=item.ts_ns, v=VERSION, capture=name, transport="import", name=item.name, cmd=item.cmd,
            env=item.env, cwd=item.cwd, upstream=item.upstream, pid=item.pid, auditor=__version__, source=str(path),
            inferred_directions=item.inferred_directions, policy=redactor.policy_hash, key_id=redactor.key_id,
            content=redactor.content_level,
        )  # fmt: skip
        self._redactor = redactor.for_capture(item.name)
        self._writer = CaptureWriter.create(folder, start, self._redactor)

    def put(self, item: Text | Happening) -> None:
        """Write one item."""
        http, hits = self._clean(item.http)
        if isinstance(item, Text):
            if hits and http is not None:
                facts = Http(ex=http.ex, conn=http.conn, path=http.path)
                self._writer.event(item.ts_ns, "http", dir=item.dir, http=facts, red=hits)
            self._writer.line(item.dir, item.ts_ns, item.data, item.wire_bytes, ch=item.ch, http=http, torn=item.torn)
        elif item.ev == "stderr":
            self._writer.stderr(item.ts_ns, utf8(item.text or ""))
        else:
            text = item.text
            if text is not None:
                done = self._redactor.text(utf8(text), f"/{item.ev}")
                text, hits = done.text.decode("utf-8", "replace"), [*hits, *done.hits]
            self._writer.event(
                item.ts_ns, item.ev, dir=item.dir, rc=item.rc, signal=item.signal, text=text, http=http, red=hits,
                lost_bytes=item.lost_bytes, lost_messages=item.lost_messages,
            )  # fmt: skip

    def _clean(self, http: Http | None) -> tuple[Http | None, list[Redaction]]:
        if http is None:
            return None, []
        clean, hits = {}, []
        for fact in _HEADER_FACTS:
            if (value := getattr(http, fact)) is not None:
                clean[fact], found = self._redactor.header(fact.replace("_", "-"), value)
                hits += found
        if http.path is not None:
            clean["path"], found = self._redactor.url(http.path, "/path")
            hits += found
        return msgspec.structs.replace(http, **clean), hits

    def finish(self, ts_ns: int) -> str:
        """Seal the journal; gives the capture's name."""
        self._writer.seal(ts_ns)
        return self._writer.capture_id
