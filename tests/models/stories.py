"""The stories that the tests of this folder ask about: each says one thing."""

from .story import Story

TIMED_OUT = "Timed out while waiting for response to ElicitRequest"


def plain() -> list[Story]:
    """Ids, sessions, ends."""
    return [
        Story("ids of both types").call(1).call("1").done("1", "string").done(1, "number").bye(),
        Story("ids of both sides").call(1).ask(1).answer(1).done(1).bye(),
        Story("float id").call(1.0).server('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}').bye(),
        Story("id again after its answer").call(1, "a").done(1, "a").call(1, "b").done(1, "b").bye(),
        Story("id again while open").call(1, "a").call(1, "b").done(1, "which").bye(),
        Story("id again after cancellation").call(1, "a").cancel(1).call(1, "b").done(1, "b").bye(),
        Story("answer twice").call(1).done(1).done(1, "again").bye(),
        Story("answer to nothing").done(99).bye(),
        Story("answer after cancellation").call(1).cancel(1).done(1).bye(),
        Story("never answered").call(1).bye(),
        Story("no handshake", protocol=None).call(1).done(1).bye(),
        Story("from the middle", protocol=None).done(7).answer(3).call(8).done(8).bye(),
        Story("two sessions").call(1).done(1).handshake().call(1).done(1).bye(),
        Story("clock jumps back").call(1).after(-3600).ask(0).answer(0).done(1).bye(),
        Story("batch", protocol="2025-03-26").client([{"id": 1, "method": "ping"}, {"id": 2, "method": "ping"}])
        .server([{"id": 2, "result": {}}, {"id": 1, "result": {}}]).bye(),
        Story("crash").call(1).crash(),
        Story("server leaves").call(1).done(1).crash(rc=0),
        Story("unfinished handshake", protocol=None).client({"id": 0, "method": "initialize", "params": {}}).bye(),
    ]  # fmt: skip


def form(*names: str) -> dict[str, object]:
    """A form that asks for texts."""
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


def outcomes() -> list[Story]:
    """One outcome each, on 2025-11-25 over stdio."""

    def asked(name: str) -> Story:
        return Story(name).call(1).ask(0)

    long = 400.0
    return [
        asked("accept").answer(0).done(1).bye(),
        asked("decline").answer(0, "decline").done(1).bye(),
        asked("cancel").answer(0, "cancel").done(1).bye(),
        asked("unsupported").client({"id": 0, "error": {"code": -32601, "message": "Method not found"}}).done(1).bye(),
        asked("unsupported by words").client({"id": 0, "error": {"code": -32600, "message": "Elicitation not supported"}}).done(1).bye(),
        Story("mode not declared", capabilities={"elicitation": {"form": {}}}).call(1)
        .ask(0, mode="url", url="https://example.com", elicitationId="e")
        .client({"id": 0, "error": {"code": -32602, "message": "Invalid params"}}).done(1).bye(),
        asked("client error").client({"id": 0, "error": {"code": -32603, "message": "Internal error"}}).done(1).bye(),
        asked("malformed answer").client({"id": 0, "result": {"action": "maybe"}}).done(1).bye(),
        asked("timeout said by the server").cancel(0, "s2c", "timed out after 60s").fail(1, -32001, "Request timed out").bye(),
        asked("timeout seen in the call").done(1, TIMED_OUT, isError=True).bye(),
        asked("timeout of the caller").cancel(1, reason="McpError: MCP error -32001: Request timed out").bye(),
        asked("parent cancelled").cancel(1, reason="user pressed stop").bye(),
        asked("withdrawn").cancel(0, "s2c", "no longer needed").done(1).bye(),
        asked("parent ended").done(1, "went on without").bye(),
        asked("session ended").bye(),
        asked("server crashed").crash(),
        asked("late").done(1, "went on").answer(0).bye(),
        Story("one field").call(1).ask(0, "Enter the password of the database", requestedSchema=form("value")).answer(0).done(1).bye(),
        Story("two fields").call(1).ask(0, "Enter the password of the database", requestedSchema=form("value", "region"))
        .answer(0).done(1).bye(),
        Story("pending").call(1).ask(0),
        Story("asked for a root").call(1).server({"id": 5, "method": "roots/list"}).client({"id": 5, "result": {"roots": []}}).done(1).bye(),
        Story("asked a model").call(1).server({"id": 5, "method": "sampling/createMessage", "params": {"messages": [
            {"role": "user", "content": {"type": "text", "text": "Say hello"}}]}})
        .client({"id": 5, "result": {"role": "assistant", "content": {"type": "text", "text": "hello"}}}).done(1).bye(),
        Story("url completed").call(1).ask(0, mode="url", url="https://example.com/pay", elicitationId="e1").answer(0)
        .server({"method": "notifications/elicitation/complete", "params": {"elicitationId": "e1"}}).done(1).bye(),
        Story("url dangling").call(1).ask(0, mode="url", url="https://example.com/pay", elicitationId="e1").answer(0).done(1).after(long).bye(),
        Story("complete of nothing").server({"method": "notifications/elicitation/complete", "params": {"elicitationId": "nobody"}}).bye(),
    ]  # fmt: skip


def required(name: str) -> Story:
    """A call that fails with -32042."""
    data = {
        "elicitations": [
            {"mode": "url", "message": "Log in", "url": "https://example.com/login", "elicitationId": "u1"}
        ]
    }
    return Story(name).call(1, "private").fail(1, -32042, "URL elicitation required", data)


def chains() -> list[Story]:
    """Chains of 2026-07-28, -32042 and tasks."""
    new = "2026-07-28"
    task = {"taskId": "t1", "status": "working", "ttl": 60000}
    return [
        Story("rounds", new).call(1).want(1, {"a": "A?"}, "s1").retry(2, {"a": "accept"}, "s1").want(2, {"b": "B?", "c": "C?"}, "s2")
        .retry(3, {"b": "decline", "c": "cancel"}, "s2").done(3).bye(),
        Story("no state", new).call(1).want(1, {"a": "A?"}, None).retry(2, {"a": "accept"}, None).done(2).bye(),
        Story("alike and stateless", new).call(1).call(2).want(1, {"a": "A?"}, None).want(2, {"a": "A?"}, None)
        .retry(3, {"a": "accept"}, None).retry(4, {"a": "decline"}, None).done(3).done(4).bye(),
        Story("alike with state", new).call(1).call(2).want(1, {"a": "A?"}, "x").want(2, {"a": "A?"}, "y")
        .retry(3, {"a": "decline"}, "y").retry(4, {"a": "accept"}, "x").done(3).done(4).bye(),
        Story("never retried", new).call(1).want(1, {"a": "A?"}, "s").bye(),
        Story("key left out", new).call(1).want(1, {"a": "A?", "b": "B?"}, "s").retry(2, {"a": "accept"}, "s").done(2).bye(),
        Story("state sent twice", new).call(1).want(1, {"a": "A?"}, "s").retry(2, {"a": "accept"}, "s").done(2)
        .retry(3, {"a": "accept"}, "s").done(3).bye(),
        Story("state altered", new).call(1).want(1, {"a": "A?"}, "s").retry(2, {"a": "accept"}, "forged")
        .fail(2, -32602, "Invalid or expired requestState").bye(),
        Story("state refused", new).call(1).want(1, {"a": "A?"}, "s").retry(2, {"a": "accept"}, "s")
        .fail(2, -32602, "Invalid or expired requestState").bye(),
        required("url required, retried").call(2, "private").done(2).bye(),
        required("url required, completed").server({"method": "notifications/elicitation/complete", "params": {"elicitationId": "u1"}}).bye(),
        required("url required, left").bye(),
        Story("task").client({"id": 1, "method": "tools/call", "params": {"name": "long", "arguments": {}, "task": {"ttl": 60000}}})
        .server({"id": 1, "result": {"task": task}})
        .ask(0, _meta={META_TASK: {"taskId": "t1"}}).answer(0)
        .server({"method": "notifications/tasks/status", "params": {**task, "status": "completed"}})
        .client({"id": 2, "method": "tasks/result", "params": {"taskId": "t1"}})
        .server({"id": 2, "result": {"content": [], "_meta": {META_TASK: {"taskId": "t1"}}}}).bye(),
        Story("task left").client({"id": 1, "method": "tools/call", "params": {"name": "long", "arguments": {}, "task": {}}})
        .server({"id": 1, "result": {"task": task}}).bye(),
        Story("task unfetched").client({"id": 1, "method": "tools/call", "params": {"name": "long", "arguments": {}, "task": {}}})
        .server({"id": 1, "result": {"task": task}})
        .server({"method": "notifications/tasks/status", "params": {**task, "status": "completed"}}).bye(),
        Story("polled", new).call(1).server({"id": 1, "result": {"resultType": "task", "taskId": "t9", "status": "working"}})
        .client({"id": 2, "method": "tasks/get", "params": {"taskId": "t9"}}).server({"id": 2, "result": POLL})
        .client({"id": 3, "method": "tasks/get", "params": {"taskId": "t9"}}).server({"id": 3, "result": POLL})
        .client({"id": 4, "method": "tasks/update", "params": {"taskId": "t9", "inputResponses": {"a": {"action": "accept", "content": {}}}}})
        .server({"id": 4, "result": {}}).bye(),
    ]  # fmt: skip


META_TASK = "io.modelcontextprotocol/related-task"
POLL = {
    "resultType": "complete", "taskId": "t9", "status": "input_required",
    "inputRequests": {"a": {"method": "elicitation/create", "params": {"message": "A?", "requestedSchema": {"type": "object", "properties": {}}}}},
}  # fmt: skip


def tiers() -> list[Story]:
    """How sure the attribution is."""
    post = {"conn": 1, "ex": 2, "method": "POST", "path": "/mcp", "session": "S"}
    back = {"conn": 1, "ex": 2, "stream": "POST", "status": 200, "ctype": "text/event-stream", "session": "S"}
    other = {"conn": 2, "ex": 3, "method": "POST", "path": "/mcp", "session": "S"}
    other_back = {"conn": 2, "ex": 3, "stream": "POST", "status": 200, "ctype": "text/event-stream", "session": "S"}
    get = {"conn": 3, "ex": 4, "stream": "GET", "status": 200, "ctype": "text/event-stream", "session": "S"}

    def http(name: str) -> Story:
        s = Story(name, protocol=None)
        tool = {"method": "tools/call", "params": {"name": "deploy", "arguments": {}}}
        return s.client({"id": 1, **tool}, **post).client({"id": 2, **tool}, **other)

    question = {
        "id": 0,
        "method": "elicitation/create",
        "params": {"message": "?", "requestedSchema": {"type": "object", "properties": {}}},
    }
    ok = {"result": {"content": []}}
    return [
        http("on its stream").server(question, **back).client({"id": 0, "result": {"action": "decline"}}, conn=4, ex=5, method="POST", session="S")
        .server({"id": 1, **ok}, **back).server({"id": 2, **ok}, **other_back),
        http("on a stream of nobody").server(question, **get).client({"id": 0, "result": {"action": "decline"}}, conn=4, ex=5, method="POST", session="S")
        .after(1).server({"id": 1, **ok}, **back).server({"id": 2, **ok}, **other_back),
        Story("only one open").call(1).ask(0).answer(0).done(1).bye(),
        Story("none open").call(1).done(1).ask(0).answer(0).bye(),
        Story("two alike").call(1).call(2).after(5).ask(0).after(5).answer(0).after(5).done(1).done(2).bye(),
        Story("right after a cancellation").call(1).call(2).cancel(1).ask(0).answer(0).done(2).bye(),
        Story("told by its words").call(1, "deploy", {"service": "lantern"}).call(2, "deploy", {"service": "harbor"}).after(3)
        .ask(0, "Deploy lantern where?").answer(0).done(1, "lantern is out").after(1).ask(1, "Deploy harbor where?").answer(1)
        .done(2, "harbor is out").bye(),
    ]  # fmt: skip
