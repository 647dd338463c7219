"""What the keys of an object, and the first row of a table, say of the values there.

Rules. A shape (the keys of an object, in order) is judged once and remembered.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from auditor.redact.keys import Strength, classify

_NAMES = (
    "name", "key", "header", "variable", "var", "param", "field", "label", "Name", "Key", "env", "envName", "k", "id",
    "property", "attribute", "option", "setting", "title", "type", "question", "parameter", "parameterName",
    "ParameterKey", "ParameterName", "keyName", "fieldName", "displayName",
)  # fmt: skip
VALUES = (
    "value", "val", "Value", "content", "data", "v", "default", "stringValue", "StringValue", "parameterValue",
    "ParameterValue", "envValue", "plaintext", "answer", "defaultValue", "currentValue",
)  # fmt: skip
_LOOSE = frozenset(("id", "type", "title", "question", "k", "option", "property"))  # names only beside a plain value
_BODIES = frozenset(("content", "data", "default"))
_COLUMNS = ("columns", "headers", "header", "fields", "cols", "columnNames", "column_names", "schema", "head")
ROWS = ("rows", "data", "values", "records", "results", "body", "items")
_COOKIE = frozenset(("httpOnly", "sameSite", "http_only", "HttpOnly", "SameSite"))
UNDER = frozenset(
    ("value", "data", "text", "plain", "plaintext", "raw", "content", "val", "current", "new", "old", "default")
)
SCHEMA_VALUES = frozenset(("default", "examples", "example", "const", "enum"))
UNREAD = frozenset(("requestState",))
OPAQUE = frozenset(("cursor", "nextCursor", "pageToken", "nextPageToken", "progressToken", "taskId", "elicitationId"))
JWK_PRIVATE = frozenset(("d", "p", "q", "dp", "dq", "qi", "k"))
_LONG_KEY = 12  # keys of fewer characters hold no secret of their own


class Keys(NamedTuple):
    """What the keys of an object say: of each value by itself, and which structures the object may be."""

    each: tuple[tuple[str, Strength | None, bool], ...]
    """Of each: its step of a JSON pointer, what it says, and whether it is long enough to hold a secret itself."""
    long: tuple[str, ...]
    """Those that are long enough."""
    schema: bool
    jwk: bool
    pair: bool
    table: bool
    cookie: bool
    structured: bool
    """One of the structures but pairs, whose names speak of them."""
    telling: bool
    """A closer look is necessary, whatever the values are."""


@lru_cache(maxsize=8192)
def shape_of(keys: tuple[str, ...]) -> Keys:
    held = set(keys)
    said = tuple(None if k in OPAQUE or k in UNREAD else classify(k) for k in keys)
    schema, jwk = "properties" in held, "kty" in held
    pair = len(held) <= 12 and _may_pair(held)
    table = bool(held.intersection(_COLUMNS) and held.intersection(ROWS))
    cookie = bool(held.intersection(_COOKIE)) and "value" in held
    structured = schema or jwk or table or cookie
    each = tuple((step_of(k), own, len(k) >= _LONG_KEY) for k, own in zip(keys, said, strict=True))
    return Keys(
        each,
        tuple(k for k in keys if len(k) >= _LONG_KEY),
        schema,
        jwk,
        pair,
        table,
        cookie,
        structured,
        structured or any(said),
    )


def _may_pair(held: set[str]) -> bool:
    values = held.intersection(VALUES)
    return bool(values and held.intersection(_NAMES)) and (
        bool(held.intersection(_NAMES) - _LOOSE) or bool(values - _BODIES)
    )


def is_schema(value: dict[str, Any]) -> bool:
    properties = value["properties"]
    return isinstance(properties, dict) and all(isinstance(p, (dict, bool)) for p in properties.values())


def pair_of(value: dict[str, Any]) -> Strength | None:
    """What the name in a `{name, value}` object says of the value."""
    for key in _NAMES:
        name = value.get(key)
        if (
            isinstance(name, str)
            and (found := classify(name))
            and (key != "type" or found != "token" or not name.isalpha())
        ):
            return found
    return None


def head_row(rows: list[Any]) -> list[Strength | None] | None:
    """What the first row of a table says of its columns."""
    head = rows[0] if len(rows) > 1 else None
    if type(head) is not list or not 1 < len(head) <= 64 or type(rows[1]) is not list or len(rows[1]) != len(head):
        return None
    if not all(type(name) is str and len(name) <= 40 for name in head):
        return None
    said = [classify(name) for name in head]
    return said if any(said) and not all(said) else None


def table_of(value: dict[str, Any]) -> list[Strength | None] | None:
    for key in _COLUMNS:
        heads = value.get(key)
        if isinstance(heads, list) and heads:
            names = [h.get("name") if isinstance(h, dict) else h for h in heads]
            if all(isinstance(n, str) for n in names):
                said = [classify(n) for n in names]
                return said if any(said) else None
    return None


def flag_of(item: str) -> Strength | None:
    """What `--name` says of the argument after it."""
    return classify(item.lstrip("-")) if item.startswith("-") and "=" not in item and len(item) < 80 else None


def step_of(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key
