"""The recorder process: empties the spool into the journal, seals it, and has it ingested.

Rules. A place is kept only for what is in the journal. Going on after another recorder, what it left unfinished is read
again, and records that are in the journal already are made again and not written. Nothing that goes wrong with the
journal is given up on while the session lasts: it is tried again until it works.
"""

import contextlib
import errno
import gc
import importlib
import json
import os
import select
import signal
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from auditor.capture.writer import CaptureWriter
from auditor.errors import AuditorError
from auditor.files import journals_dir
from auditor.journal.reader import TORN, read_journal
from auditor.journal.records import Start
from auditor.redact.redactor import Redactor
from auditor.tap.control import FREED, LOST, READY, SEALED, TROUBLE, Control, Place
from auditor.tap.lines import Processor, StdioLines
from auditor.tap.platform import give_back
from auditor.tap.spool import HEADER_BYTES, Reader

_TICK_MS = 40  # how often the spool is looked at; nothing wakes the recorder, so that traffic need not
_BATCH_BYTES = 1 << 20
_SYNC_S = 0.2
_RETRY_S = 0.25
_LAST_RETRIES_S = 30.0  # how long writing is tried on once the session is over
_GIVE_BACK_BYTES = 1 << 20


class Recorder:
    """Empties one spool."""

    def __init__(self, spool_fd: int, control: Control, config: dict[str, Any], life_fd: int) -> None:
        self._control = control
        self._life = life_fd
        self._db = Path(config["db"])
        self._config = config
        place = control.place()
        self._reader = Reader(spool_fd, place.done)
        self._freed = min([place.done, *(at for at, _ in place.pending if at >= 0)])
        self._alive = True
        self._last_ns = int(config["start"]["ts_ns"])
        self._over_since: float | None = None
        redactor = self._patiently(lambda: Redactor.load(self._db, _policy_start(config)))
        capture = redactor.for_capture(config["start"].get("name"))
        self._writer = self._patiently(lambda: self._open(capture, redactor))
        self._processor: Processor = _processor(config, self._writer, capture)
        self._restore(spool_fd, place)

    def _open(self, capture: Any, redactor: Redactor) -> CaptureWriter:
        folder = journals_dir(self._db)
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
                for piece in again.read(_BATCH_BYTES):
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
        self._listen(int(_RETRY_S * 1000))
        if self._alive:
            return
        time.sleep(_RETRY_S)
        self._over_since = self._over_since or time.monotonic()
        if time.monotonic() - self._over_since > _LAST_RETRIES_S:
            sys.exit(1)

    def _listen(self, timeout_ms: int) -> None:
        """Wait a tick; notices when the tap is gone."""
        if not self._alive:
            return
        poll = select.poll()
        poll.register(self._life, select.POLLIN | select.POLLHUP)
        self._alive = not poll.poll(timeout_ms)

    def run(self) -> None:
        """Until the tap is gone and the spool is empty; then seal."""
        self._control.words[READY] = 1
        synced = time.monotonic()
        while True:
            ended = not self._alive
            read = self._take()
            now = time.monotonic()
            if now - synced > _SYNC_S:
                self._patiently(self._writer.sync)
                synced = now
            if not read and ended:
                break
            if not read or self._alive:
                self._listen(_TICK_MS)
        self._processor.close(self._last_ns)
        self._report_loss()
        self._patiently(lambda: self._writer.seal(self._last_ns))
        self._control.words[SEALED] = 1

    def _take(self) -> bool:
        """Record what waits, a batch at a time; whether there was anything."""
        any_read = False
        for _ in range(64):
            pieces = self._reader.read(_BATCH_BYTES)
            if not pieces:
                break
            any_read = True
            for piece in pieces:
                self._processor.feed(piece)
                self._last_ns = piece[3]
            self._patiently(self._writer.flush)
            self._keep()
        return any_read

    def _keep(self) -> None:
        pending = self._processor.pending()
        done = self._reader.offset
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
    made: Processor = importlib.import_module(config["processor"]).make(writer, capture, config["start"])
    return made


def main() -> NoReturn:
    """What a tap starts: the descriptors are the arguments."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    spool_fd, control_fd, facts_fd, life_fd = (int(a) for a in sys.argv[1:5])
    config = json.loads(os.pread(facts_fd, os.fstat(facts_fd).st_size, 0))
    gc.freeze()
    Recorder(spool_fd, Control(control_fd), config, life_fd).run()
    os.chdir("/")
    for fd in (spool_fd, control_fd, facts_fd, life_fd):
        with contextlib.suppress(OSError):
            os.close(fd)
    os.execv(sys.executable, [sys.executable, "-m", "auditor.pipeline", config["db"]])


if __name__ == "__main__":
    main()
