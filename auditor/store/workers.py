"""Jobs in processes of their own, so that both cores read journals while DuckDB loads what is read.

Rules. Outcomes come in the order of the jobs. A small load is done here: a process costs more than it. Workers hold no
descriptor of the database, and end when their stdin does, whatever becomes of us.
"""

import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import islice
from queue import SimpleQueue

import msgspec

from auditor.store.job import Job, Outcome, Slice, run

ALONE_BYTES = 24 << 20  # less than this is read in this process
_AHEAD = 2  # jobs read ahead for each worker: what bounds the spool


class _Worker:
    """A process that does one job after another."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "auditor.store.job"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout

    def run(self, job: Job) -> Outcome:
        """Have a job done. A worker that was killed does not matter: the job is then done here."""
        try:
            data = msgspec.msgpack.encode(job)
            self._in.write(len(data).to_bytes(4, "big") + data)
            self._in.flush()
            size = int.from_bytes(self._out.read(4), "big")
            answer = self._out.read(size)
            return msgspec.msgpack.decode(answer, type=Outcome)
        except (OSError, msgspec.DecodeError):
            return run(job)

    def close(self) -> None:
        """End the process."""
        try:
            self._in.close()
        finally:
            self._out.close()
            self._process.wait()


class Outcomes:
    """The outcomes of jobs, in order. Where processes of their own do them, the first ones begin at once."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._left = iter(jobs)
        self._held = ExitStack()
        self._submit: _Submit | None = None
        self._waiting: deque[Future[Outcome]] = deque()
        count = min(os.cpu_count() or 1, 4, len(jobs))
        if count > 1 and sum(size(part) for job in jobs for part in job.slices) >= ALONE_BYTES:
            self._submit = self._held.enter_context(_pool(count))
            self._begin(count * _AHEAD)

    def _begin(self, count: int) -> None:
        assert self._submit is not None
        self._waiting.extend(map(self._submit, islice(self._left, count)))

    def __iter__(self) -> Iterator[Outcome]:
        if self._submit is None:
            yield from map(run, self._left)
        while self._waiting:
            outcome = self._waiting.popleft().result()
            self._begin(1)
            yield outcome

    def close(self) -> None:
        """End the processes, whatever they were doing."""
        self._held.close()


class _Submit:
    def __init__(self, threads: ThreadPoolExecutor, workers: Iterable[_Worker]) -> None:
        self._threads = threads
        self._free: SimpleQueue[_Worker] = SimpleQueue()
        for worker in workers:
            self._free.put(worker)

    def __call__(self, job: Job) -> Future[Outcome]:
        return self._threads.submit(self._run, job)

    def _run(self, job: Job) -> Outcome:
        worker = self._free.get()
        try:
            return worker.run(job)
        finally:
            self._free.put(worker)


@contextmanager
def _pool(count: int) -> Iterator[_Submit]:
    workers = [_Worker() for _ in range(count)]
    try:
        with ThreadPoolExecutor(count) as threads:
            try:
                yield _Submit(threads, workers)
            finally:
                threads.shutdown(cancel_futures=True)
    finally:
        for worker in workers:
            worker.close()


def size(part: Slice) -> int:
    """Bytes of a slice."""
    return part.end - part.offset
