"""`auditor record --upstream URL --listen HOST:PORT`: the proxy, its recorder, and their end.

Rules. The recorder is another process; this one writes notes into the spool before it passes anything on. SIGTERM and
SIGINT end the tap: no new connections, what is under way has a moment to end, then the recorder seals the record.
"""

import asyncio
import contextlib
import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence

from aiohttp import web

from auditor.capture.http.traffic import AnyNote, encode
from auditor.errors import OK, UsageError
from auditor.tap.control import READY, TROUBLE
from auditor.tap.http.options import HttpOptions, is_loopback, parse_options
from auditor.tap.http.proxy import Proxy
from auditor.tap.http.server import TapServer
from auditor.tap.http.upstream import Upstream, open_session, parse_upstream, tls_context
from auditor.tap.launch import Launch, check_policy
from auditor.tap.session import STRICT_EXIT
from auditor.tap.spool import EXIT, NONE, NOTE, WARNING, SpoolFull

_REFRESH_BYTES = 8 << 20  # of notes, after which what is open is noted anew; so it is after a loss
_PATIENCE_S = 0.005
_WATCH_S = 0.2  # how often a strict tap looks whether its recorder can write
_GRACE_S = 0.5  # for exchanges under way when the tap is told to end
_RESTARTS, _RESTARTS_S = 5, 10.0  # recorders that may die within that time before the next one has to wait


def http_main(argv: Sequence[str]) -> int:
    """Run the tap until it is told to end; gives the exit code.

    Raises:
        UsageError: when the arguments cannot be followed, or the address cannot be listened on.
    """
    options = parse_options(argv)
    check_policy()
    upstream = parse_upstream(options.upstream)
    tap = _Tap(options, upstream)
    return asyncio.run(tap.run())


class SpoolSink:
    """Notes into the spool. When a strict session cannot be recorded any more, `failed` is set.

    With `patient_above` (bytes that wait to be recorded) nothing is left out: whoever asks for `room` waits for it. The
    spool's own way to wait would stop the loop, and with it what replaces a recorder that died.
    """

    def __init__(self, launch: Launch, patient_above: int | None = None) -> None:
        self._spool = launch.spool
        self._patient_above = patient_above
        if patient_above is not None:
            self._spool.unbounded()
        self._since = 0
        self._lost = 0  # what had been lost when it was last noted what is open
        self.failed: asyncio.Event | None = None
        self.refresh: Callable[[], None] | None = None

    def put(self, note: AnyNote) -> None:
        """Write a note.

        Raises:
            SpoolFull: when it cannot be, and the tap is strict.
        """
        data, lost = encode(note), self._spool.lost_bytes
        try:
            self._spool.put(NOTE, NONE, data)
        except SpoolFull:
            if self.failed is not None:
                self.failed.set()
            raise
        if self._spool.lost_bytes != lost:
            return
        self._since += len(data)
        if self.refresh is not None and (self._since > _REFRESH_BYTES or lost != self._lost):
            self._since, self._lost = 0, lost
            self.refresh()

    def is_full(self) -> bool:
        """Whether too much waits to be recorded, when nothing may be left out."""
        return self._patient_above is not None and self._spool.waiting_bytes() > self._patient_above

    async def room(self) -> None:
        """Wait while it is full."""
        while self.is_full():
            await asyncio.sleep(_PATIENCE_S)


class _Tap:
    def __init__(self, options: HttpOptions, upstream: Upstream) -> None:
        self._options, self._upstream = options, upstream
        self._deaths: list[float] = []
        self._listening_context = options.listening_context()
        self._context = tls_context(options.ca_file, options.insecure)
        facts = {"transport": "http", "upstream": options.upstream, "name": options.name}
        self._launch = Launch(
            options.db, facts, "auditor.tap.http.processor", cap_bytes=options.spool_cap,
            strict=options.strict,
        )  # fmt: skip
        self._sink = SpoolSink(self._launch, options.spool_cap if options.lossless else None)
        self._recording = False

    async def run(self) -> int:
        stop = asyncio.Event()
        self._sink.failed = failed = asyncio.Event()
        async with open_session(self._context) as client:
            names = None if self._options.allow_remote else self._names()
            scheme = "https" if self._listening_context else "http"
            proxy = Proxy(self._upstream, client, self._sink, scheme=scheme, names=names)
            self._sink.refresh = proxy.note_open
            server = TapServer(proxy.handle, self._sink)
            runner = web.ServerRunner(server, shutdown_timeout=_GRACE_S)
            await runner.setup()
            await self._listen(runner)
            self._start_recorder()
            self._announce(scheme, runner)
            self._handle_signals(stop, failed)
            _look_seldom_for_garbage()
            await stop.wait()
            proxy.stopping = True
            await runner.cleanup()
        self._forget_signals()
        if not self._recording:
            self._start_recorder()
        self._launch.finish(EXIT, b"0 0")
        self._launch.complain(_say)
        if failed.is_set():
            _say("auditor: ended because the traffic cannot be recorded any more; record without --strict to go on")
        return STRICT_EXIT if failed.is_set() else OK

    def _names(self) -> frozenset[str]:
        host = self._options.host
        own = f"[{host}]" if ":" in host else host.lower()
        return frozenset({own, "localhost", "127.0.0.1", "[::1]"}) if is_loopback(host) else frozenset({own})

    async def _listen(self, runner: web.ServerRunner) -> None:
        options = self._options
        site = web.TCPSite(runner, options.host, options.port, ssl_context=self._listening_context, backlog=1024)
        try:
            await site.start()
        except OSError as e:
            where = f"{options.host}:{options.port}"
            why = os.strerror(e.errno) if e.errno else str(e)
            raise UsageError(f"cannot listen on {where}: {why}; name another one with --listen") from None

    def _announce(self, scheme: str, runner: web.ServerRunner) -> None:
        host, port = runner.addresses[0][:2]
        shown = f"[{host}]" if ":" in host else host
        own = f"{scheme}://{shown}:{port}{self._upstream.path}"
        _say(f"auditor: clients connect to {own}; recording {self._upstream.origin}")
        if self._options.insecure:
            self._warn("the upstream's certificate is not checked (--insecure)")
        if not is_loopback(self._options.host):
            self._warn("other machines can reach this tap (--allow-remote)")

    def _warn(self, text: str) -> None:
        _say(f"auditor: {text}")
        self._launch.spool.put(WARNING, NONE, text.encode())

    def _handle_signals(self, stop: asyncio.Event, failed: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        loop.add_signal_handler(signal.SIGCHLD, self._replace_recorder, stop)

        async def watch() -> None:
            words = self._launch.control.words
            while not failed.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(failed.wait(), _WATCH_S)
                if self._options.strict and words[TROUBLE] and not words[READY]:
                    failed.set()  # no journal can be made
            stop.set()

        self._watching = asyncio.create_task(watch())

    def _forget_signals(self) -> None:
        """A signal that comes while the loop closes must not meet what the loop has closed already."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            loop.remove_signal_handler(number)
            if number != signal.SIGCHLD:
                signal.signal(number, signal.SIG_IGN)

    def _start_recorder(self) -> None:
        self._launch.start_recorder()
        self._recording = True

    def _replace_recorder(self, stop: asyncio.Event) -> None:
        try:
            pid, _ = os.waitpid(self._launch.recorder, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        self._recording = False
        if stop.is_set():
            return
        now = time.monotonic()
        self._deaths = [t for t in self._deaths if now - t < _RESTARTS_S] + [now]
        if len(self._deaths) <= _RESTARTS:
            self._start_recorder()
        elif self._options.strict and self._sink.failed is not None:
            self._sink.failed.set()
        else:
            _say(f"auditor: the recorder fails again and again; it is started anew in {_RESTARTS_S:g} s")
            asyncio.get_running_loop().call_later(_RESTARTS_S, self._start_again, stop)

    def _start_again(self, stop: asyncio.Event) -> None:
        if not stop.is_set():
            self._start_recorder()


def _look_seldom_for_garbage() -> None:
    """What is loaded stays, and an exchange leaves few cycles behind: a look costs more than it finds."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
