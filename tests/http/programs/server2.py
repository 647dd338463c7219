"""A server over Streamable HTTP on the `mcp` SDK 2.x: `server2.py PORT [events]`, which keeps events to resume from."""

import sys
from typing import Any

import anyio
import mcp_types as types
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from pydantic import BaseModel

server = MCPServer("http-server", version="1.0.0", log_level="ERROR")
Answer = types.CallToolResult | types.InputRequiredResult


class Choice(BaseModel):
    """What to do."""

    colour: str


@server.tool()
async def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool()
async def ask(what: str, ctx: Context[Any, Any]) -> Answer:
    """Ask the user in the way of the session's revision."""
    params = types.ElicitRequestFormParams(message=f"Which {what}?", requested_schema=Choice.model_json_schema())
    if ctx.protocol_version == "2026-07-28":
        answers = ctx.input_responses or {}
        if "choice" not in answers:
            request = types.ElicitRequest(params=params)
            return types.InputRequiredResult(input_requests={"choice": request}, request_state=what)
        answer = types.ElicitResult.model_validate(answers["choice"], from_attributes=True)
    else:
        answer = await ctx.session.elicit_form(params.message, params.requested_schema, ctx.request_id)
    return _said(f"{what}: {answer.action} {answer.content}")


@server.tool()
async def think(about: str, ctx: Context[Any, Any]) -> Answer:
    """Let the client's model answer."""
    question = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=about))
    params = types.CreateMessageRequestParams(messages=[question], max_tokens=10)
    if ctx.protocol_version == "2026-07-28":
        answers = ctx.input_responses or {}
        if "thought" not in answers:
            request = types.CreateMessageRequest(params=params)
            return types.InputRequiredResult(input_requests={"thought": request}, request_state=about)
        return _said("thought")
    await ctx.session.create_message([question], max_tokens=10, related_request_id=ctx.request_id)
    return _said("thought")


@server.tool()
async def count(n: int, ctx: Context[Any, Any]) -> str:
    """Count with progress."""
    for i in range(n):
        await ctx.report_progress(i + 1, n, f"step {i + 1}")
    return "counted"


@server.tool()
async def wait(ctx: Context[Any, Any]) -> str:
    """Wait until the client gives up."""
    await ctx.report_progress(1, 2, "waiting")
    await anyio.sleep_forever()
    return "never"


@server.tool()
async def nap(ctx: Context[Any, Any]) -> str:
    """Close the stream, ask on the one that the client resumes with, and close that, too."""
    await ctx.report_progress(1, 3, "tired")
    await ctx.close_sse_stream()
    await ctx.report_progress(2, 3, "asleep")
    answer = await ctx.session.elicit_form("Which dream?", Choice.model_json_schema(), ctx.request_id)
    await ctx.close_sse_stream()
    await ctx.report_progress(3, 3, "awake")
    return f"dream: {answer.action} {answer.content}"


class Events(EventStore):
    """Delivers at least once: a client that resumes gets the notifications that it had already, too."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, types.JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: types.JSONRPCMessage | None) -> str:
        self._kept.append((stream_id, message))
        return str(len(self._kept))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        last = int(last_event_id)
        stream = self._kept[last - 1][0]
        for number, (of, message) in enumerate(self._kept[:], 1):
            again = isinstance(message, types.JSONRPCNotification)
            if of == stream and message is not None and (number > last or again):
                await send_callback(EventMessage(message, str(number)))
        return stream


def _said(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


if __name__ == "__main__":
    store = Events() if sys.argv[2:] == ["events"] else None
    server.run(transport="streamable-http", port=int(sys.argv[1]), event_store=store, retry_interval=50)
