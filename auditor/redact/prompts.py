"""What a capture has asked of its user: so that an answer is known for a secret by the question.

Rules. A form's fields are judged when it is asked; the answer to it, by id or by key, is redacted where a field asks
for a secret. What is remembered is bounded: forms that nobody answers are forgotten, the oldest first.
"""

from collections import OrderedDict
from typing import Any

from auditor.redact.fields import sensitive_kind

_OPEN_FORMS = 1000
_MOST_FIELDS = 500
_CALLS = ("tools/call", "prompts/get")


class Prompts:
    """The forms that are open, and the tool of the message looked at last."""

    def __init__(self) -> None:
        self._by_id: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._by_key: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._tools: OrderedDict[str, str] = OrderedDict()
        self.tool: str | None = None
        self.answering = False

    def look(self, value: Any, direction: str) -> frozenset[str]:
        """Look at a message; gives the places (JSON pointers) in it that hold secrets because a form asked for them."""
        self.tool, self.answering = None, False
        if not isinstance(value, dict):
            return frozenset()
        params, result = value.get("params"), value.get("result")
        if direction == "s2c":
            self._asked(value, params, result)
            self.tool = self._tools.pop(repr(value.get("id")), None) if result is not None else None
            return frozenset()
        if isinstance(params, dict):
            return self._called(value, params)
        return self._answered(value, result)

    def _asked(self, value: dict[str, Any], params: Any, result: Any) -> None:
        if value.get("method") == "elicitation/create" and isinstance(params, dict):
            _keep(self._by_id, repr(value.get("id")), sensitive_fields(params))
        requests = result.get("inputRequests") if isinstance(result, dict) else None
        for key, entry in (requests if isinstance(requests, dict) else {}).items():
            asked = entry.get("params") if isinstance(entry, dict) else None
            if isinstance(asked, dict):
                names = sensitive_fields(asked)
                _keep(self._by_key, key, names | self._by_key.get(key, frozenset()))

    def _called(self, value: dict[str, Any], params: dict[str, Any]) -> frozenset[str]:
        name = params.get("name")
        if value.get("method") in _CALLS and isinstance(name, str):
            self.tool = name
            _keep(self._tools, repr(value.get("id")), name)
        responses = params.get("inputResponses")
        if not isinstance(responses, dict):
            return frozenset()
        self.answering = True
        return frozenset(
            f"/params/inputResponses/{_step(key)}/content/{_step(field)}"
            for key in responses
            for field in self._by_key.get(key, ())
        )

    def _answered(self, value: dict[str, Any], result: Any) -> frozenset[str]:
        if not isinstance(result, dict):
            return frozenset()
        self.answering = "action" in result
        fields = self._by_id.pop(repr(value.get("id")), frozenset())
        return frozenset(f"/result/content/{_step(field)}" for field in fields)


def _keep(store: OrderedDict[str, Any], key: str, what: Any) -> None:
    store[key] = what
    if len(store) > _OPEN_FORMS:
        store.popitem(last=False)


def sensitive_fields(params: dict[str, Any]) -> frozenset[str]:
    """The fields of a form that ask for a secret."""
    schema = params.get("requestedSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or len(properties) > _MOST_FIELDS:
        return frozenset(properties or ()) if isinstance(properties, dict) else frozenset()
    message = params.get("message")
    said = message if isinstance(message, str) and len(properties) == 1 else None
    found = []
    for name, field in properties.items():
        field = field if isinstance(field, dict) else {}
        if field.get("type") == "boolean":
            continue
        title, description, form = (field.get(k) for k in ("title", "description", "format"))
        if sensitive_kind(name, _text(title), _text(description), said, _text(form)):
            found.append(name)
    return frozenset(found)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _step(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
