"""The bundled MCP client: plays the stories of the demo, each against its own server behind `auditor record`.

    python -m auditor.demo.client DATABASE [STORY…]

All stories run at once, as a desktop client runs its servers. What the user of a story does is in its `answers`.
"""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.session import ElicitationFnT

from auditor.demo.secrets import API_KEY, DEPLOY_TOKEN, SIGNING_SECRET

THINKING_S = 0.9  # what stands for the time that a person takes to read a form
LEGACY, MODERN = "legacy", "2026-07-28"

Play = Callable[[str], Awaitable[None]]
Answering = Callable[[types.ElicitRequestParams], Awaitable[types.ElicitResult]]


def recorded(db: str, name: str, *server_args: str) -> StdioServerParameters:
    """The server of a story, started through the recorder."""
    record = ["-P", "-m", "auditor", "record", "--db", db, "--name", name, "--"]
    command = [sys.executable, "-P", "-m", "auditor.demo.server", *server_args]
    return StdioServerParameters(command=sys.executable, args=[*record, *command], env={"DEPLOY_TOKEN": DEPLOY_TOKEN})


def client(server: StdioServerParameters, user: Answering | None, mode: str = LEGACY) -> Client:
    """A client whose user answers by `user`; without one it does not declare that it can be asked."""
    info = types.Implementation(name="demo-client", version="1.0.0")
    return Client(server, elicitation_callback=user and _asked(user), mode=mode, client_info=info, cache=None)


def _asked(user: Answering) -> ElicitationFnT:
    async def callback(context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        return await user(params)

    return callback


def one_after_the_other(*answers: types.ElicitResult) -> Answering:
    """A user who gives these answers in this order, after a moment's thought."""
    left = list(answers)

    async def user(_: types.ElicitRequestParams) -> types.ElicitResult:
        await anyio.sleep(THINKING_S)
        return left.pop(0)

    return user


def accept(environment: str = "staging", branch: str = "main", canary: bool = True) -> types.ElicitResult:
    """A filled-in form."""
    content: dict[str, Any] = {"environment": environment, "branch": branch, "canary": canary}
    return types.ElicitResult(action="accept", content=content)


DECLINE = types.ElicitResult(action="decline")
CANCEL = types.ElicitResult(action="cancel")


async def answers(db: str) -> None:
    """Accept, decline, cancel: three calls, three forms, three answers."""
    async with client(recorded(db, "answers"), one_after_the_other(accept(), DECLINE, CANCEL)) as session:
        for repository in ("acme/website", "acme/billing", "acme/search"):
            await session.call_tool("create_deployment", {"repository": repository})


async def unanswered(db: str) -> None:
    """Nobody answers, and the server stops waiting."""

    async def user(_: types.ElicitRequestParams) -> types.ElicitResult:
        await anyio.sleep_forever()
        raise AssertionError

    async with client(recorded(db, "unanswered", "0.6"), user) as session:
        await session.call_tool("create_deployment", {"repository": "acme/website"})


async def incapable(db: str) -> None:
    """A client that cannot be asked: the server says what is missing, and asks nothing."""
    async with client(recorded(db, "incapable"), None) as session:
        await session.call_tool("create_deployment", {"repository": "acme/website"})


async def credentials(db: str) -> None:
    """A form that asks for an API key, next to a prompt that leads to a page; and a server that prints its token."""
    key = types.ElicitResult(action="accept", content={"api_key": API_KEY})
    user = one_after_the_other(key, types.ElicitResult(action="accept"))
    async with client(recorded(db, "credentials"), user) as session:
        await session.call_tool("connect_registry", {"registry": "packages.example.com"})
        await session.call_tool("connect_registry_by_browser", {"registry": "packages.example.com"})
        await session.call_tool("show_settings", {"signing_secret": SIGNING_SECRET})


async def interleaved(db: str) -> None:
    """Two calls at once; the form that was asked second is answered first."""
    asked: list[str] = []
    both = anyio.Event()
    second_answered = anyio.Event()

    async def user(params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        if len(asked) == 1:
            await both.wait()
            await second_answered.wait()
            await anyio.sleep(THINKING_S)
            return accept("staging", "main")
        both.set()
        await anyio.sleep(THINKING_S)
        second_answered.set()
        return accept("production", "release/2.1", canary=False)

    async with client(recorded(db, "interleaved"), user) as session, anyio.create_task_group() as calls:
        for repository in ("acme/website", "acme/billing"):
            calls.start_soon(session.call_tool, "create_deployment", {"repository": repository})


async def withdrawn(db: str) -> None:
    """The client cancels the call while its form is open."""
    open_form = anyio.Event()

    async def user(_: types.ElicitRequestParams) -> types.ElicitResult:
        open_form.set()
        await anyio.sleep_forever()
        raise AssertionError

    async with client(recorded(db, "withdrawn"), user) as session, anyio.create_task_group() as calls:
        calls.start_soon(session.call_tool, "create_deployment", {"repository": "acme/website"})
        await open_form.wait()
        await anyio.sleep(THINKING_S)
        calls.cancel_scope.cancel()


async def rounds(db: str) -> None:
    """2026-07-28: the server asks by returning `input_required`, the client retries with the answer and the state."""
    user = one_after_the_other(accept("production", "release/2.1"), DECLINE)
    async with client(recorded(db, "rounds"), user, MODERN) as session:
        await session.call_tool("create_deployment", {"repository": "acme/website"})
        await session.call_tool("create_deployment", {"repository": "acme/billing"})


STORIES: dict[str, Play] = {
    s.__name__: s for s in (answers, unanswered, incapable, credentials, interleaved, withdrawn, rounds)
}


async def play(db: str, names: list[str]) -> int:
    """Play the stories at once; gives how many failed."""
    failed = 0

    async def one(name: str) -> None:
        nonlocal failed
        try:
            await STORIES[name](db)
        except (MCPError, OSError, RuntimeError, ValueError, ExceptionGroup) as e:
            failed += 1
            sys.stderr.write(f"the story `{name}` failed: {e!r}\n")

    async with anyio.create_task_group() as group:
        for name in names:
            group.start_soon(one, name)
    return failed


if __name__ == "__main__":
    sys.exit(anyio.run(play, sys.argv[1], sys.argv[2:] or list(STORIES)))
