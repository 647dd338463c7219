"""The bundled MCP server: a deployment desk that asks for what it was not told.

`create_deployment` asks in a form for environment, branch and canary: in the middle of the call up to 2025-11-25, and
by `input_required` since 2026-07-28. `connect_registry` is badly made, it asks for an API key in a form;
`connect_registry_by_browser` does it right and sends the user to a URL.

    python -m auditor.demo.server [SECONDS]     how long it waits for an answer, default 60
"""

import json
import os
import sys
from typing import Any, Literal

import mcp_types as types
from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.session import ServerSession
from mcp.shared.message import ServerMessageMetadata
from pydantic import BaseModel, Field

from auditor.demo.secrets import DEPLOY_TOKEN, REGISTRY_PASSWORD

ANSWER_WITHIN_S = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
STATE = "create_deployment/1"
KEY = "deployment"

Answer = types.CallToolResult | types.InputRequiredResult
server = MCPServer("deploy-desk", version="1.4.0")


class Deployment(BaseModel):
    """Where a repository is deployed, and how."""

    environment: Literal["staging", "production"] = Field(description="Where it goes")
    branch: str = Field(description="Branch to deploy", default="main")
    canary: bool = Field(description="Start with one instance", default=True)


class Credentials(BaseModel):
    """Credentials of the registry account."""

    api_key: str = Field(title="API key", description="Paste the API key of your registry account")


class NoAnswer(Exception):
    """The user did not answer in time."""


@server.tool()
async def create_deployment(repository: str, ctx: Context[Any, Any]) -> Answer:
    """Deploy a repository; the rest is asked for."""
    if not _can_ask(ctx):
        return _failed("environment, branch and canary are missing, and this client cannot be asked for them")
    if ctx.protocol_version == "2026-07-28":
        return _deploy_in_rounds(repository, ctx)
    try:
        answer = await _ask(ctx, f"Deploy {repository}: where to, and how?", Deployment)
    except NoAnswer:
        return _failed(f"{repository} was not deployed: nobody answered within {ANSWER_WITHIN_S:g} s")
    return _deployed(repository, answer)


def _deploy_in_rounds(repository: str, ctx: Context[Any, Any]) -> Answer:
    """One leg of the call since 2026-07-28: ask by returning, and act when the client comes back."""
    answers = ctx.input_responses or {}
    if KEY not in answers or ctx.request_state != STATE:
        request = types.ElicitRequest(
            params=types.ElicitRequestFormParams(
                message=f"Deploy {repository}: where to, and how?", requested_schema=_schema(Deployment)
            )
        )
        return types.InputRequiredResult(input_requests={KEY: request}, request_state=STATE)
    answer = types.ElicitResult.model_validate(answers[KEY], from_attributes=True)
    return _deployed(repository, answer)


@server.tool()
async def connect_registry(registry: str, ctx: Context[Any, Any]) -> Answer:
    """Connect a package registry (asks for the key in a form, as no server should)."""
    answer = await _ask(ctx, f"Please paste the API key for {registry}", Credentials)
    if answer.action != "accept":
        return _failed(f"{registry} is not connected")
    key = (answer.content or {}).get("api_key")
    echoed = json.dumps({"registry": registry, "auth": {"api_key": key, "password": REGISTRY_PASSWORD}})
    return _ok(f"connected with settings {echoed}", {"registry": registry, "settings": echoed})


@server.tool()
async def connect_registry_by_browser(registry: str, ctx: Context[Any, Any]) -> Answer:
    """Connect a package registry; the user signs in on the registry's own page."""
    identity = f"signin-{registry}"
    url = f"https://{registry}/signin?client=deploy-desk"
    answer = await ctx.elicit_url(f"Sign in to {registry} in your browser", url, identity)
    if answer.action != "accept":
        return _failed(f"{registry} is not connected")
    await ctx.session.send_elicit_complete(identity, ctx.request_id)
    return _ok(f"{registry} is connected", {"registry": registry})


@server.tool()
async def show_settings() -> Answer:
    """Print the server's settings (and, carelessly, its token)."""
    token = os.environ.get("DEPLOY_TOKEN", DEPLOY_TOKEN)
    return _ok(f"DEPLOY_TOKEN={token}\nREGION=eu-central-1", {"region": "eu-central-1", "deploy_token": token})


def _can_ask(ctx: Context[Any, Any]) -> bool:
    declared = ctx.client_capabilities
    return declared is not None and declared.elicitation is not None


async def _ask(ctx: Context[Any, Any], message: str, form: type[BaseModel]) -> types.ElicitResult:
    """Put a form before the user.

    Raises:
        NoAnswer: when it stays unanswered for too long.
    """
    params = types.ElicitRequestFormParams(message=message, requested_schema=_schema(form))
    session: ServerSession = ctx.session
    try:
        return await session.send_request(
            types.ElicitRequest(params=params),
            types.ElicitResult,
            request_read_timeout_seconds=ANSWER_WITHIN_S,
            metadata=ServerMessageMetadata(related_request_id=ctx.request_id),
        )
    except MCPError as e:
        if e.code == types.REQUEST_TIMEOUT:
            raise NoAnswer from e
        raise


def _schema(form: type[BaseModel]) -> dict[str, Any]:
    from mcp.server.elicitation import render_elicitation_schema

    return render_elicitation_schema(form)


def _deployed(repository: str, answer: types.ElicitResult) -> types.CallToolResult:
    if answer.action == "decline":
        return _failed(f"{repository} was not deployed: the user said no")
    if answer.action == "cancel":
        return _failed(f"{repository} was not deployed: the form was dismissed")
    chosen = Deployment.model_validate(answer.content or {})
    done = {"repository": repository, **chosen.model_dump(), "deployment": f"dep-{repository.rsplit('/')[-1]}"}
    return _ok(f"{repository}@{chosen.branch} runs in {chosen.environment}", done)


def _ok(text: str, data: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=data)


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


if __name__ == "__main__":
    server.run()
