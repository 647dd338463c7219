"""Jobs in processes of their own, so that all cores work while DuckDB does.

Rules. Outcomes come in the order of the jobs, which are asked for no sooner than a process may take them. A worker is a
module that calls `serve`: jobs on stdin, outcomes on stdout, each as MessagePack behind its length in 4 bytes. It holds
no descriptor of the database, and ends when its stdin does, whatever becomes of us.
"""

import gc
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Generic, TypeVar

import msgspec

J = TypeVar("J")
R = TypeVar("R")

_AHEAD = 2  # jobs taken ahead for each process: what bounds the memory
_MOST = 4  # processes


class Work(msgspec.Struct, Generic[J, R], frozen=True):
    """What a worker does: `run` in the module that serves it; `result` is the type of what comes out."""

    module: str
    run: Callable[[J], R]
    result: type[R]


def serve(run: Callable[[J], R], job: type[J]) -> None:
    """Do one job after another; the main function of a worker's module."""
    gc.disable()  # rows are no cycles
    while size := sys.stdin.buffer.read(4):
        given = msgspec.msgpack.decode(sys.stdin.buffer.read(int.from_bytes(size, "big")), type=job)
        answer = msgspec.msgpack.encode(run(given))
        sys.stdout.buffer.write(len(answer).to_bytes(4, "big") + answer)
        sys.stdout.buffer.flush()


def _environment() -> dict[str, str]:
    """Modules come from where this program's do, never from the folder in which it was started."""
    here = str(Path(__file__).parents[1])
    given = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join((here, given)) if given else here}


class _Worker(Generic[J, R]):
    """A process that does one job after another."""

    def __init__(self, work: Work[J, R]) -> None:
        self._work = work
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", work.module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout

    def run(self, job: J) -> R:
        """Have a job done. A worker that was killed does not matter: the job is then done here."""
        try:
            data = msgspec.msgpack.encode(job)
            self._in.write(len(data).to_bytes(4, "big") + data)
            self._in.flush()
            size = int.from_bytes(self._out.read(4), "big")
            return msgspec.msgpack.decode(self._out.read(size), type=self._work.result)
        except (OSError, msgspec.DecodeError):
            return self._work.run(job)

    def close(self) -> None:
        """End the process."""
        try:
            self._in.close()
        finally:
            self._out.close()
            self._process.wait()


class Outcomes(Generic[J, R]):
    """The outcomes of jobs, in order. Where processes of their own do them, the first ones begin at once; with
    `alone` all are done here, for a process costs more than a small job. To be closed."""

    def __init__(self, work: Work[J, R], jobs: Iterable[J], *, alone: bool, most: int = _MOST) -> None:
        self._work = work
        self._left = iter(jobs)
        self._held = ExitStack()
        self._threads: ThreadPoolExecutor | None = None
        self._free: SimpleQueue[_Worker[J, R]] = SimpleQueue()
        self._waiting: deque[Future[R]] = deque()
        count = min(os.cpu_count() or 1, _MOST, most)
        if count > 1 and not alone:
            self._open(count)

    def _open(self, count: int) -> None:
        for _ in range(count):
            worker = _Worker(self._work)
            self._held.callback(worker.close)
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(count)
        self._held.callback(self._threads.shutdown, cancel_futures=True)
        self._begin(self._threads, count * _AHEAD)

    def _begin(self, threads: ThreadPoolExecutor, count: int) -> None:
        self._waiting.extend(threads.submit(self._run, job) for job in islice(self._left, count))

    def _run(self, job: J) -> R:
        worker = self._free.get()
        try:
            return worker.run(job)
        finally:
            self._free.put(worker)

    def __iter__(self) -> Iterator[R]:
        if self._threads is None:
            yield from map(self._work.run, self._left)
            return
        while self._waiting:
            outcome = self._waiting.popleft().result()
            self._begin(self._threads, 1)
            yield outcome

    def close(self) -> None:
        """End the processes, whatever they were doing."""
        self._held.close()
