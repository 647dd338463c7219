"""A server on FastMCP 3.x over Streamable HTTP: `server_fastmcp3.py PORT`."""

import sys
from dataclasses import dataclass

import anyio
from fastmcp import Context, FastMCP

server = FastMCP("http-server")


@dataclass
class Choice:
    """What the user is asked for."""

    colour: str


@server.tool
async def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool
async def ask(what: str, ctx: Context) -> str:
    """Ask the user."""
    answer = await ctx.elicit(f"Which {what}?", Choice)
    content = {"colour": answer.data.colour} if answer.action == "accept" else None
    return f"{what}: {answer.action} {content}"


@server.tool
async def think(about: str, ctx: Context) -> str:
    """Let the client's model answer."""
    await ctx.sample(about)
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
