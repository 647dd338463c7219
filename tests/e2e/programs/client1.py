"""A client on the `mcp` SDK 1.x: `client1.py COMMAND ARGS…`; prints what it saw as JSON."""

import json
import sys

import anyio
from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client

SCRIPT = [
    ("echo", {"text": "plain"}),
    ("echo", {"text": 'ünïcödé 漢字 🙂 \u2028 "quoted" \\ /'}),
    ("fail", {"text": "on purpose"}),
    ("refuse", {"text": "not today"}),
    ("ask", {"what": "paint"}),
    ("ask", {"what": "brush"}),
    ("count", {"n": 3}),
    ("much", {"n": 300_000}),
]


async def main(command: list[str]) -> None:
    seen: list[object] = []
    answers = [
        types.ElicitResult(action="accept", content={"colour": "red", "amount": 2}),
        types.ElicitResult(action="decline"),
    ]

    async def user(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        seen.append(["asked", params.message])
        return answers.pop(0)

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append(["progress", done, total, message])

    server = StdioServerParameters(command=command[0], args=command[1:])
    async with (
        stdio_client(server) as (read, write),
        ClientSession(read, write, elicitation_callback=user) as session,
    ):
        hello = await session.initialize()
        seen.append([hello.protocolVersion, hello.serverInfo.name])
        seen.append([t.name for t in (await session.list_tools()).tools])
        for name, arguments in SCRIPT:
            try:
                result = await session.call_tool(name, arguments, progress_callback=progress)
                seen.append([name, result.isError, [c.model_dump(mode="json") for c in result.content]])
            except McpError as e:
                seen.append([name, e.error.code, e.error.message, e.error.data])
    sys.stdout.write(json.dumps(seen))


anyio.run(main, sys.argv[1:])
