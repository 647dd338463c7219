"""A page in a real headless Chromium, driven over its debugging protocol."""

import asyncio
import base64
import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
)  # fmt: skip
PATIENCE_S = 40


class Page:
    """A loaded page: `complaints` are its console's errors and warnings, refused loads and uncaught exceptions;
    `requests` are the URLs that it asked for, itself included."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._last = 0

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        """One command; gives its result."""
        self._last += 1
        ident = self._last
        await self.socket.send_json({"id": ident, "method": method, "params": params})
        return await self.until(lambda m: m.get("id") == ident)

    async def until(self, wanted: Any) -> dict[str, Any]:
        """Read events until one is wanted."""
        while True:
            message = await asyncio.wait_for(self.socket.receive_json(), PATIENCE_S)
            self._note(message)
            if wanted(message):
                assert "error" not in message, message
                return dict(message)

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"]))
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
                self.complaints.append(params["entry"]["text"])
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(params["args"]))
            case "Page.javascriptDialogOpening":
                self.complaints.append("a dialog")
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])

    async def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited."""
        found = await self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found["result"], found
        return found["result"]["result"].get("value")

    async def picture(self, path: Path, width: int = 1400, height: int = 1000, *, dark: bool = False) -> None:
        """A screenshot of the whole page."""
        await self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        await self.send("Emulation.setEmulatedMedia", features=scheme)
        await self.evaluate("new Promise(done => setTimeout(done, 400))")
        shot = await self.send("Page.captureScreenshot", format="png", captureBeyondViewport=height > 1200)
        path.write_bytes(base64.b64decode(shot["result"]["data"]))


@contextlib.asynccontextmanager
async def opened(file: Path) -> AsyncIterator[Page]:
    """Open a file; its scripts have run when this gives it."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory() as profile:
        process = await asyncio.create_subprocess_exec(
            CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
        try:
            async with aiohttp.ClientSession() as http:
                port = await asyncio.wait_for(_port(process), PATIENCE_S)
                async with http.get(f"http://127.0.0.1:{port}/json/list") as answer:
                    target = next(t for t in await answer.json() if t["type"] == "page")
                async with http.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                    page = Page(socket)
                    for domain in ("Page", "Runtime", "Log", "Network"):
                        await page.send(f"{domain}.enable")
                    await page.send("Page.navigate", url=file.absolute().as_uri())
                    await page.until(lambda m: m.get("method") == "Page.loadEventFired")
                    yield page
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


async def _port(process: asyncio.subprocess.Process) -> int:
    assert process.stderr is not None
    async for line in process.stderr:
        if b"DevTools listening on" in line:
            return int(line.rsplit(b":", 1)[1].split(b"/")[0])
    raise AssertionError("Chromium did not start")
