"""A client on the `mcp` SDK 2.x whose stream the server closes in the middle of a call: `resume2.py URL`."""

import json
import sys

import anyio
import mcp_types as types
from mcp import Client


async def main(url: str) -> None:
    seen: list[object] = []

    async def user(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"colour": "red"})

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append([done, message])

    async with Client(url, mode="legacy", elicitation_callback=user) as client:
        result = await client.call_tool("nap", {}, progress_callback=progress)
        seen.append([c.text for c in result.content if isinstance(c, types.TextContent)])
    sys.stdout.write(json.dumps(seen))


anyio.run(main, sys.argv[1])
