"""A client on FastMCP 3.x or 4.x: `client_fastmcp.py URL [MODE]`; a mode is of 4.x; prints what it saw as JSON."""

import json
import sys
from typing import Any

import anyio
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult


async def main(url: str, *mode: Any) -> None:
    seen: list[object] = []

    async def user(message: str, response_type: Any, params: Any, context: Any) -> ElicitResult[Any]:
        what = message.split()[1].rstrip("?")
        if what == "nothing":
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"colour": f"red-{what}"})

    async def model(messages: Any, params: Any, context: Any) -> str:
        return "42"

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append(["progress", done, total, message])
        if message == "waiting":
            started.set()

    async def call(name: str, **arguments: Any) -> str:
        return (await client.call_tool(name, arguments, progress_handler=progress)).content[0].text

    started = anyio.Event()
    options: dict[str, Any] = {"mode": mode[0]} if mode else {}
    async with Client(url, elicitation_handler=user, sampling_handler=model, **options) as client:
        seen.append(sorted(tool.name for tool in await client.list_tools()))
        seen.append(await call("echo", text="漢字 🙂 \u2028"))
        seen.append([await call("ask", what="nothing"), await call("think", about="life"), await call("count", n=3)])
        answers: dict[int, str] = {}

        async def one(n: int) -> None:
            answers[n] = await call("ask", what=f"paint{n}")

        async with anyio.create_task_group() as group:
            for n in range(10):
                group.start_soon(one, n)
        seen.append(sorted(answers.items()))
        async with anyio.create_task_group() as group:
            group.start_soon(call, "wait")
            await started.wait()
            group.cancel_scope.cancel()
        seen.append(await call("echo", text="after"))
    sys.stdout.write(json.dumps(seen))


anyio.run(main, *sys.argv[1:])
