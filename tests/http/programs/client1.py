"""A client on the `mcp` SDK 1.x: `client1.py URL [sse]`; prints what it saw as JSON."""

import json
import sys

import anyio
from mcp import ClientSession, types
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamablehttp_client


async def main(url: str, connect: object) -> None:
    seen: list[object] = []

    async def user(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        what = params.message.split()[1].rstrip("?")
        if what == "nothing":
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content={"colour": f"red-{what}"})

    async def model(context: object, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        content = types.TextContent(type="text", text="42")
        return types.CreateMessageResult(role="assistant", content=content, model="none")

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append(["progress", done, total, message])

    async with (
        connect(url) as streams,
        ClientSession(streams[0], streams[1], elicitation_callback=user, sampling_callback=model) as session,
    ):
        seen.append((await session.initialize()).protocolVersion)
        for name, arguments in (("echo", {"text": "漢字"}), ("ask", {"what": "nothing"}), ("think", {"about": "life"})):
            seen.append([c.text for c in (await session.call_tool(name, arguments)).content])
        await session.call_tool("count", {"n": 3}, progress_callback=progress)
        answers: dict[int, str] = {}

        async def one(n: int) -> None:
            answers[n] = (await session.call_tool("ask", {"what": f"paint{n}"})).content[0].text

        async with anyio.create_task_group() as group:
            for n in range(10):
                group.start_soon(one, n)
        seen.append(sorted(answers.items()))
    sys.stdout.write(json.dumps(seen))


anyio.run(main, sys.argv[1], sse_client if sys.argv[2:] == ["sse"] else streamablehttp_client)
