"""A client on the `mcp` SDK 2.x: `client2.py URL MODE [cancel]`; prints what it saw as JSON."""

import json
import sys

import anyio
import mcp_types as types
from mcp import Client


def text(result: types.CallToolResult) -> str:
    return "".join(c.text for c in result.content if isinstance(c, types.TextContent))


async def main(url: str, mode: str, cancel: bool) -> None:
    seen: list[object] = []

    async def user(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        what = params.message.split()[1].rstrip("?")
        if what == "nothing":
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content={"colour": f"red-{what}"})

    async def model(context: object, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        content = types.TextContent(type="text", text="42")
        return types.CreateMessageResult(role="assistant", content=content, model="none")

    started = anyio.Event()

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append(["progress", done, total, message])
        started.set()

    async with Client(url, mode=mode, elicitation_callback=user, sampling_callback=model) as client:
        seen.append([client.protocol_version, sorted(t.name for t in (await client.list_tools()).tools)])
        seen.append(text(await client.call_tool("echo", {"text": "漢字 🙂 \u2028"})))
        seen.append(text(await client.call_tool("ask", {"what": "nothing"})))
        seen.append(text(await client.call_tool("think", {"about": "life"})))
        seen.append(text(await client.call_tool("count", {"n": 3}, progress_callback=progress)))
        answers: dict[int, str] = {}

        async def one(n: int) -> None:
            answers[n] = text(await client.call_tool("ask", {"what": f"paint{n}"}))

        async with anyio.create_task_group() as group:
            for n in range(10):
                group.start_soon(one, n)
        seen.append(sorted(answers.items()))
        if cancel:
            started = anyio.Event()
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: client.call_tool("wait", {}, progress_callback=progress))
                await started.wait()
                group.cancel_scope.cancel()
            seen.append(text(await client.call_tool("echo", {"text": "after"})))
    sys.stdout.write(json.dumps(seen))


anyio.run(main, sys.argv[1], sys.argv[2], sys.argv[3:] == ["cancel"])
