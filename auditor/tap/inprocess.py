"""The tap inside a process: for hosts that embed an MCP client or server.

    with Recorder(db, side="client", name="files") as recorder:
        async with stdio_client(parameters) as (read, write):
            read, write = tapped(read, write, recorder)

Rules. A message is in the spool before it is passed on; the recorder is another process, as on stdio. Nothing of the
`mcp` SDK is imported: its streams and messages are known by what they can do, which is the same in 1.x and 2.x. What is
recorded is the text that the SDK would write on a pipe.
"""

import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

from auditor.files import default_db
from auditor.tap.launch import Launch
from auditor.tap.spool import C2S, DATA, DEFAULT_CAP_BYTES, EOF, NONE, S2C, WARNING

Read = TypeVar("Read")
Write = TypeVar("Write")
_RESTARTS = 5  # recorders that may die before no other is started
_SEAL_S = 5.0  # how long `close` waits for the recorder to have everything


class Recorder:
    """A capture of one session in this process. `side` is what this process is: the client or the server.

    `lossless` waits rather than leaves anything out; `strict` makes sending and receiving fail with
    `auditor.tap.spool.SpoolFull` when they cannot be recorded.
    """

    def __init__(
        self, db: Path | None = None, *, side: Literal["client", "server"], name: str | None = None,
        lossless: bool = False, strict: bool = False, cap_bytes: int = DEFAULT_CAP_BYTES,
    ) -> None:  # fmt: skip
        self._launch = Launch(
            db or default_db(), {"transport": "process", "name": name}, "stdio",
            cap_bytes=cap_bytes, wait=lossless, strict=strict,
        )  # fmt: skip
        self._inbound, self._outbound = (S2C, C2S) if side == "client" else (C2S, S2C)
        self._ended: set[int] = set()
        self._closed = False
        self._launch.start_recorder()
        threading.Thread(target=self._keep_recorder, daemon=True).start()

    def _keep_recorder(self) -> None:
        """Wait for the recorder's end; one that dies before its time is replaced."""
        for _ in range(_RESTARTS):
            try:
                os.waitpid(self._launch.recorder, 0)
            except ChildProcessError:
                return
            if self._closed:
                return
            self._launch.start_recorder()

    def received(self, text: bytes) -> None:
        """Note a message that came in."""
        if not self._closed:
            self._launch.spool.put(DATA, self._inbound, text + b"\n")

    def sent(self, text: bytes) -> None:
        """Note a message that goes out."""
        if not self._closed:
            self._launch.spool.put(DATA, self._outbound, text + b"\n")

    def warn(self, text: str) -> None:
        """Note something that is no message."""
        if not self._closed:
            self._launch.spool.put(WARNING, NONE, text.encode("utf-8", "replace"))

    def ended(self, *, inbound: bool) -> None:
        """Note that a direction is over."""
        channel = self._inbound if inbound else self._outbound
        if channel not in self._ended and not self._closed:
            self._ended.add(channel)
            self._launch.spool.put(EOF, channel, b"")

    def close(self) -> None:
        """The session is over: the recorder seals the journal, and loads it into the database on its own."""
        if self._closed:
            return
        self._closed = True
        self._launch.release()
        deadline = time.monotonic() + _SEAL_S
        while not self._launch.sealed() and time.monotonic() < deadline:
            time.sleep(0.005)

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def tapped(read: Read, write: Write, recorder: Recorder) -> tuple[Read, Write]:
    """The streams of an `mcp` transport, with a tap on them: use them in place of `read` and `write`."""
    tapped_read: Any = _Reading(read, recorder)
    tapped_write: Any = _Writing(write, recorder)
    return tapped_read, tapped_write


class _Tapped:
    """What both streams share: everything but messages passes through to the SDK's own."""

    _inbound = True

    def __init__(self, inner: Any, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def close(self) -> None:
        self._recorder.ended(inbound=self._inbound)
        self._inner.close()

    async def aclose(self) -> None:
        self._recorder.ended(inbound=self._inbound)
        await self._inner.aclose()

    async def __aenter__(self) -> Any:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *exc: Any) -> Any:
        self._recorder.ended(inbound=self._inbound)
        return await self._inner.__aexit__(*exc)


class _Reading(_Tapped):
    def _note(self, item: Any) -> Any:
        text = _text(item)
        if text is None:
            self._recorder.warn(f"the transport could not read a message: {type(item).__name__}")
        else:
            self._recorder.received(text)
        return item

    async def receive(self) -> Any:
        try:
            return self._note(await self._inner.receive())
        except _ends() as e:
            self._recorder.ended(inbound=True)
            raise e from None

    def receive_nowait(self) -> Any:
        return self._note(self._inner.receive_nowait())

    def clone(self) -> "_Reading":
        return _Reading(self._inner.clone(), self._recorder)

    def __aiter__(self) -> "_Reading":
        return self

    async def __anext__(self) -> Any:
        try:
            return self._note(await self._inner.__anext__())
        except StopAsyncIteration:
            self._recorder.ended(inbound=True)
            raise


class _Writing(_Tapped):
    _inbound = False

    async def send(self, item: Any) -> None:
        self._note(item)
        await self._inner.send(item)

    def send_nowait(self, item: Any) -> None:
        self._note(item)
        self._inner.send_nowait(item)

    def clone(self) -> "_Writing":
        return _Writing(self._inner.clone(), self._recorder)

    def _note(self, item: Any) -> None:
        if (text := _text(item)) is not None:
            self._recorder.sent(text)


def _ends() -> tuple[type[BaseException], ...]:
    import anyio

    return (anyio.EndOfStream, anyio.ClosedResourceError)


def _text(item: Any) -> bytes | None:
    """A message as its SDK writes it; None for what is no message."""
    message = getattr(item, "message", None)
    if message is None or isinstance(item, BaseException):
        return None
    if hasattr(message, "root"):  # 1.x
        return str(message.model_dump_json(by_alias=True, exclude_none=True)).encode()
    return str(message.model_dump_json(by_alias=True, exclude_unset=True)).encode()
