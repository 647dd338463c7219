"""The recorder process: empties the spool into the journal, seals it, and has it ingested.

Rules. A place is kept only for what is in the journal. Going on after another recorder, what it left unfinished is read
again, and records that are in the journal already are made again and not written. Nothing that goes wrong with the
journal is given up on while the session lasts: it is tried again until it works. How it is started: see `boot`.
"""

import errno
import importlib
import marshal
import os
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from auditor.capture.mark import unmark
from auditor.capture.writer import CaptureWriter
from auditor.errors import AuditorError
from auditor.files import journals_dir
from auditor.journal.reader import TORN, read_journal
from auditor.journal.records import Start
from auditor.redact.redactor import Redactor
from auditor.tap.control import FREED, LOST, READY, SEALED, TROUBLE, Control
from auditor.tap.lines import Piece, Processor, StdioLines
from auditor.tap.place import Place
from auditor.tap.platform import give_back, read_at
from auditor.tap.spool import HEADER_BYTES, Reader

_TICK_S = 0.04  # how often the spool is looked at; nothing wakes the recorder, so that traffic need not
_BATCH_BYTES = 1 << 18  # larger ones are no faster, and take more memory
_SYNC_S = 0.2
_RETRY_S = 0.25
_REMOVAL_S = 0.25  # how long a tree of folders may take to be removed
_LAST_RETRIES_S = 30.0  # how long writing is tried on once the session is over
_GIVE_BACK_BYTES = 1 << 20


class Recorder:
    """Empties one spool: `run` until `over` is set, when the session is; then `finish`, perhaps on another thread."""

    def __init__(self, spool_fd: int, control: Control, config: dict[str, Any], over: threading.Event) -> None:
        self._control = control
        self._over = over
        self.db = config["db"]
        self._db = Path(self.db)
        self._config = config
        place = control.place()
        self._reader = Reader(spool_fd, place.done)
        self._done = place.done
        self._freed = min([place.done, *(at for at, _ in place.pending if at >= 0)])
        self._pieces: Iterator[Piece] = iter(())
        self._synced = time.monotonic()
        self._last_ns = int(config["start"]["ts_ns"])
        self._over_since: float | None = None
        if over.is_set():  # nothing is made yet, and nobody waits for it
            self._leave_if_unwanted()
        redactor = self._patiently(lambda: Redactor.load(self._db, _policy_start(config)))
        capture = redactor.for_capture(config["start"].get("name"))
        self._writer = self._patiently(lambda: self._open(capture, redactor))
        self._writer.on_vanished(self._leave_if_unwanted)
        self._processor: Processor = _processor(config, self._writer, capture)
        self._restore(spool_fd, place)

    def _open(self, capture: Any, redactor: Redactor) -> CaptureWriter:
        folder = journals_dir(self._db)
        if not folder.exists():  # the tap made it
            self._leave_if_unwanted()
        path = folder / f"{self._config['start']['capture']}.ndjson"
        if path.exists() and all(entry.problem == TORN for entry in islice(read_journal(path), 1)):
            path.unlink()  # a recorder was killed before it had written anything
        if path.exists():
            return CaptureWriter.resume(path, capture, since=max(1, self._control.place().seq))
        facts = {"policy": redactor.policy_hash, "key_id": redactor.key_id, "content": redactor.content_level}
        start = msgspec.convert({"seq": 0, **self._config["start"], **facts, "k": "start"}, Start)
        return CaptureWriter.create(folder, start, capture)

    def _restore(self, fd: int, place: Place) -> None:
        """Read again what the recorder before left unfinished."""
        begun = [at for at, _ in place.pending if at >= 0]
        if begun:
            again = Reader(fd, min(begun))
            while again.offset < place.done:
                for piece in again.pieces(_BATCH_BYTES):
                    if piece[0] < place.done:
                        self._processor.restore(piece, place)

    def _patiently(self, work: Any) -> Any:
        """Do what may fail for want of a folder, of room or of rights; try again until it works."""
        while True:
            try:
                done = work()
            except (OSError, AuditorError) as e:
                cause = e if isinstance(e, OSError) else e.__cause__
                number = cause.errno if isinstance(cause, OSError) and cause.errno else errno.EIO
                self._control.words[TROUBLE] = number
                self._wait_or_give_up()
            else:
                self._control.words[TROUBLE] = 0
                return done

    def _wait_or_give_up(self) -> None:
        if not self._over.wait(_RETRY_S):
            return
        time.sleep(_RETRY_S)
        self._over_since = self._over_since or time.monotonic()
        if time.monotonic() - self._over_since > _LAST_RETRIES_S:
            os._exit(1)

    def run(self) -> None:
        """Until the session is over: what waits, tick by tick."""
        self._control.words[READY] = 1
        while not self._over.is_set():
            read = self._take()
            self._sync_in_time()
            if not read:
                self._over.wait(_TICK_S)

    def finish(self) -> None:
        """No more comes: until the spool is empty; then seal."""
        self._control.words[READY] = 1
        while self._take():
            self._sync_in_time()
        self._processor.close(self._last_ns)
        self._report_loss()
        self._patiently(lambda: self._writer.seal(self._last_ns))
        unmark(str(journals_dir(self._db) / self._config["start"]["capture"]))
        self._control.words[SEALED] = 1

    def _leave_if_unwanted(self) -> None:
        """Is what the session was recorded into removed now that it is over, or by mistake? A moment tells."""
        time.sleep(_REMOVAL_S)
        if self._over.is_set() and not self._db.parent.exists():
            os._exit(0)

    def _sync_in_time(self) -> None:
        if time.monotonic() - self._synced > _SYNC_S:
            self._patiently(self._writer.sync)
            self._synced = time.monotonic()

    def _take(self) -> bool:
        """Record a batch of what waits; whether there was anything. Stops within a batch when the session ends."""
        ended = self._over.is_set()
        piece = next(self._pieces, None)
        if piece is None:
            self._pieces = self._reader.pieces(_BATCH_BYTES)
            piece = next(self._pieces, None)
            if piece is None:
                return False
        while piece is not None:
            self._processor.feed(piece)
            self._done, self._last_ns = piece[0] + HEADER_BYTES + len(piece[4]), piece[3]
            if ended is not self._over.is_set():
                break
            piece = next(self._pieces, None)
        self._patiently(self._writer.flush)
        self._keep()
        return True

    def _keep(self) -> None:
        pending = self._processor.pending()
        done = self._done
        self._control.keep(Place(done, self._writer.seq, pending))
        free = min([done, *(at for at, _ in pending if at >= 0)])
        if free - self._freed >= _GIVE_BACK_BYTES:
            give_back(self._reader.fd, self._freed, free)
            self._freed = free
        self._control.words[FREED] = done  # what an unfinished line holds back does not count: it must be able to end

    def _report_loss(self) -> None:
        """What the pump could not put into the spool any more, and a last piece that was cut off."""
        unsaid = self._control.words[LOST] - self._writer.lost_bytes
        left = self._reader.available()
        if unsaid > 0 or left > 0:
            self._writer.event(self._last_ns, "gap", lost_bytes=max(unsaid, 0) + max(left - HEADER_BYTES, 0))


def _policy_start(config: dict[str, Any]) -> Path | None:
    cwd = config["start"].get("cwd")
    return Path(cwd) if cwd else None


def _processor(config: dict[str, Any], writer: CaptureWriter, capture: Any) -> Processor:
    """The processor that the tap asked for: `stdio`, or the function `make` of a module."""
    if config["processor"] == "stdio":
        return StdioLines(writer, config["cap_bytes"])
    made: Processor = importlib.import_module(config["processor"]).make(writer, capture, config)
    return made


def load(fds: Sequence[int], over: threading.Event) -> Recorder:
    """A recorder behind the descriptors of spool, control page, facts and life line, in this order."""
    spool_fd, control_fd, facts_fd = fds[:3]
    config = marshal.loads(read_at(facts_fd, os.fstat(facts_fd).st_size, 0))
    return Recorder(spool_fd, Control(control_fd), config, over)
