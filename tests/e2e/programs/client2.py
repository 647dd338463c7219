"""A client on the `mcp` SDK 2.x: `client2.py MODE COMMAND ARGS…`; prints what it saw as JSON."""

import json
import sys

import anyio
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters

SCRIPT = [
    ("echo", {"text": "plain"}),
    ("echo", {"text": 'ünïcödé 漢字 🙂 \u2028 "quoted" \\ /'}),
    ("fail", {"text": "on purpose"}),
    ("refuse", {"text": "not today"}),
    ("ask", {"what": "paint"}),
    ("ask", {"what": "brush"}),
    ("count", {"n": 3}),
    ("much", {"n": 300_000}),
    ("absent", {}),
]


async def main(mode: str, command: list[str]) -> None:
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
    async with Client(server, mode=mode, elicitation_callback=user) as client:
        seen.append([client.protocol_version, client.server_info and client.server_info.name])
        seen.append([t.name for t in (await client.list_tools()).tools])
        for name, arguments in SCRIPT:
            try:
                result = await client.call_tool(name, arguments, progress_callback=progress)
                seen.append([name, result.is_error, [c.model_dump(mode="json") for c in result.content]])
            except MCPError as e:
                seen.append([name, e.error.code, e.error.message, e.error.data])
        seen.append([c.model_dump(mode="json") for c in (await client.read_resource("e2e://note")).contents])
    sys.stdout.write(json.dumps(seen))


anyio.run(main, sys.argv[1], sys.argv[2:])
