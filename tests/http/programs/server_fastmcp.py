"""A server on FastMCP 4.x over Streamable HTTP: `server_fastmcp.py PORT`."""

import sys
from typing import Any

import anyio
import mcp_types as types
from fastmcp import Context, FastMCP

server = FastMCP("http-server")
SCHEMA = {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]}


def is_modern(ctx: Context) -> bool:
    return ctx.request_context.protocol_version == "2026-07-28"


@server.tool
async def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool
async def ask(what: str, ctx: Context) -> Any:
    """Ask the user in the way of the session's revision."""
    message = f"Which {what}?"
    if is_modern(ctx):
        answers = ctx.input_responses or {}
        if "choice" not in answers:
            params = types.ElicitRequestFormParams(message=message, requested_schema=SCHEMA)
            return types.InputRequiredResult(
                input_requests={"choice": types.ElicitRequest(params=params)}, request_state=what
            )
        answer = types.ElicitResult.model_validate(answers["choice"], from_attributes=True)
    else:
        answer = await ctx.session.elicit(message, SCHEMA, ctx.request_id)
    return f"{what}: {answer.action} {answer.content}"


@server.tool
async def think(about: str, ctx: Context) -> Any:
    """Let the client's model answer."""
    question = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=about))
    if is_modern(ctx):
        if "thought" not in (ctx.input_responses or {}):
            params = types.CreateMessageRequestParams(messages=[question], max_tokens=10)
            request = types.CreateMessageRequest(params=params)
            return types.InputRequiredResult(input_requests={"thought": request}, request_state=about)
        return "thought"
    await ctx.session.create_message([question], max_tokens=10, related_request_id=ctx.request_id)
    return "thought"


@server.tool
async def count(n: int, ctx: Context) -> str:
    """Count with progress."""
    for i in range(n):
        await ctx.report_progress(i + 1, n, f"step {i + 1}")
    return "counted"


@server.tool
async def wait(ctx: Context) -> str:
    """Wait until the client gives up."""
    await ctx.report_progress(1, 2, "waiting")
    await anyio.sleep_forever()
    return "never"


if __name__ == "__main__":
    server.run(transport="http", port=int(sys.argv[1]), show_banner=False, log_level="ERROR")
