"""A server on the `mcp` SDK 1.x: `server1.py PORT [sse]`; Streamable HTTP, or the old HTTP+SSE."""

import sys

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import SamplingMessage, TextContent
from pydantic import BaseModel

server = FastMCP("http-server", port=int(sys.argv[1]), log_level="ERROR")


class Choice(BaseModel):
    """What to do."""

    colour: str


@server.tool()
async def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool()
async def ask(what: str, ctx: Context) -> str:
    """Ask the user."""
    answer = await ctx.elicit(f"Which {what}?", Choice)
    content = {"colour": answer.data.colour} if answer.action == "accept" else None
    return f"{what}: {answer.action} {content}"


@server.tool()
async def think(about: str, ctx: Context) -> str:
    """Let the client's model answer."""
    question = SamplingMessage(role="user", content=TextContent(type="text", text=about))
    await ctx.session.create_message([question], max_tokens=10, related_request_id=ctx.request_id)
    return "thought"


@server.tool()
async def count(n: int, ctx: Context) -> str:
    """Count with progress."""
    for i in range(n):
        await ctx.report_progress(i + 1, n, f"step {i + 1}")
    return "counted"


server.run(transport=sys.argv[2] if len(sys.argv) > 2 else "streamable-http")
