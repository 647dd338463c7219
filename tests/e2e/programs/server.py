"""A server for the end-to-end tests: a result, an error, a question, progress, odd text, and much text."""

from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

server = MCPServer("e2e-server", version="1.0.0")


class Choice(BaseModel):
    """What to do."""

    colour: str
    amount: int = 1


@server.tool()
async def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool()
async def fail(text: str) -> str:
    """Fail with these words."""
    raise ToolError(text)


@server.tool()
async def refuse(text: str) -> str:
    """Answer with a protocol error."""
    raise MCPError(code=-32099, message=text, data={"why": text})


@server.tool()
async def ask(what: str, ctx: Context[Any, Any]) -> types.CallToolResult | types.InputRequiredResult:
    """Ask the user in the way of the session's revision."""
    params = types.ElicitRequestFormParams(message=f"Which {what}?", requested_schema=Choice.model_json_schema())
    request = types.ElicitRequest(params=params)
    if ctx.protocol_version == "2026-07-28":
        answers = ctx.input_responses or {}
        if "choice" not in answers:
            return types.InputRequiredResult(input_requests={"choice": request}, request_state=what)
        answer = types.ElicitResult.model_validate(answers["choice"], from_attributes=True)
    else:
        answer = await ctx.session.elicit_form(params.message, params.requested_schema, ctx.request_id)
    text = f"{what}: {answer.action} {answer.content}"
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


@server.tool()
async def count(n: int, ctx: Context[Any, Any]) -> str:
    """Count with progress."""
    for i in range(n):
        await ctx.report_progress(i + 1, n, f"step {i + 1}")
    return "counted"


@server.tool()
async def much(n: int) -> str:
    """So many characters."""
    return "0123456789" * (n // 10)


@server.resource("e2e://note")
def note() -> str:
    """A resource."""
    return "a note"


if __name__ == "__main__":
    server.run()
