"""Secrets in a decoded document: by the names of keys, by structure, and by what the texts themselves show.

Rules. A JSON Schema is no secret as a schema, its defaults and examples are values. A value is judged by the nearest
name: its key, the `name` beside a `value`, the flag before it, the head of its column. A document without a secret
comes back as the same object.
"""

from collections.abc import Callable, Container
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from auditor.redact.commands import arguments
from auditor.redact.keys import Strength, classify, holds
from auditor.redact.values import code, made, number, path, placeholder, rooted, tokenish

MAX_DEPTH = 250
_NAMES = (
    "name", "key", "header", "variable", "var", "param", "field", "label", "Name", "Key", "env", "envName", "k", "id",
    "property", "attribute", "option", "setting", "title", "type", "question", "parameter", "parameterName",
    "ParameterKey", "ParameterName", "keyName", "fieldName", "displayName",
)  # fmt: skip
_VALUES = (
    "value", "val", "Value", "content", "data", "v", "default", "stringValue", "StringValue", "parameterValue",
    "ParameterValue", "envValue", "plaintext", "answer", "defaultValue", "currentValue",
)  # fmt: skip
_LOOSE = frozenset(("id", "type", "title", "question", "k", "option", "property"))  # names only beside a plain value
_BODIES = frozenset(("content", "data", "default"))
_COLUMNS = ("columns", "headers", "header", "fields", "cols", "columnNames", "column_names", "schema", "head")
_ROWS = ("rows", "data", "values", "records", "results", "body", "items")
_COOKIE = frozenset(("httpOnly", "sameSite", "http_only", "HttpOnly", "SameSite"))
_UNDER = frozenset(
    ("value", "data", "text", "plain", "plaintext", "raw", "content", "val", "current", "new", "old", "default")
)
_SCHEMA_VALUES = frozenset(("default", "examples", "example", "const", "enum"))
_UNREAD = frozenset(("requestState",))
_OPAQUE = frozenset(("cursor", "nextCursor", "pageToken", "nextPageToken", "progressToken", "taskId", "elicitationId"))
_JWK_PRIVATE = frozenset(("d", "p", "q", "dp", "dq", "qi", "k"))
_LONG_KEY = 12  # keys of fewer characters hold no secret of their own


class Secret(msgspec.Struct, frozen=True, gc=False):
    """A secret that was found: its value as text, its kind, and whether it could be guessed."""

    value: str
    kind: str
    guessable: bool


class Edit(msgspec.Struct, frozen=True, gc=False):
    """One leaf that changes: where (JSON pointer), the key it stands under (None in a list), before and after."""

    where: str
    key: str | None
    old: Any
    new: Any


class TooDeep(ValueError):
    """The document is nested too deeply to be looked at."""


Marker = Callable[[Secret, str], str]
"""Gives the text that stands for a secret found at a place, and notes it."""
TextRedactor = Callable[[str, str, int, bool], "str | None"]
"""Redacts a text at a place and depth; the flag says whether it may be opened as an encoding. None: nothing found."""


class _Keys(NamedTuple):
    """What the keys of an object say: of each value by itself, and which structures the object may be."""

    each: tuple[tuple[str, Strength | None, bool], ...]
    """Of each: its step of a JSON pointer, what it says, and whether it is long enough to hold a secret itself."""
    schema: bool
    jwk: bool
    pair: bool
    table: bool
    cookie: bool
    telling: bool
    """A closer look is necessary, whatever the values are."""


@lru_cache(maxsize=8192)
def _shape(keys: tuple[str, ...]) -> _Keys:
    held = set(keys)
    said = tuple(None if k in _OPAQUE or k in _UNREAD else classify(k) for k in keys)
    schema, jwk = "properties" in held, "kty" in held
    pair = len(held) <= 12 and _may_pair(held)
    table = bool(held.intersection(_COLUMNS) and held.intersection(_ROWS))
    cookie = bool(held.intersection(_COOKIE)) and "value" in held
    telling = schema or jwk or table or cookie or any(said)
    each = tuple((_step(k), own, len(k) >= _LONG_KEY) for k, own in zip(keys, said, strict=True))
    return _Keys(each, schema, jwk, pair, table, cookie, telling)


def _may_pair(held: set[str]) -> bool:
    values = held.intersection(_VALUES)
    return bool(values and held.intersection(_NAMES)) and (
        bool(held.intersection(_NAMES) - _LOOSE) or bool(values - _BODIES)
    )


class Walk:
    """One pass over one document."""

    def __init__(
        self, text: TextRedactor, mark: Marker, forced: frozenset[str] = frozenset(),
        denied_keys: frozenset[str] = frozenset(), allowed: Callable[[str, str], bool] | None = None,
        dull: Container[str] = (),
    ) -> None:  # fmt: skip
        """`dull` are texts in which there is nothing, unless a name says so."""
        self._text, self._mark, self._forced = text, mark, forced
        self._denied_keys, self._allowed = denied_keys, allowed
        self._dull = dull
        self._named_places = bool(forced or denied_keys)
        self.edits: list[Edit] = []

    def redact(self, value: Any) -> Any:
        """The document with its secrets taken out; the same object when there are none.

        Raises:
            TooDeep: when it is nested too deeply.
        """
        return self._any(value, "", None, None, 0)

    def _any(self, value: Any, where: str, key: str | None, strength: Strength | None, depth: int) -> Any:
        kind = type(value)
        if kind is str:
            return self._leaf(value, where, key, strength)
        if kind is dict:
            return self._object(value, where, strength, depth + 1, key)
        if kind is list:
            return self._list(value, where, strength, depth + 1)
        if kind in (int, float) and self._secret_number(value, where, key, strength):
            secret = Secret(str(value), "code", True)
            return self._change(where, key, value, self._mark(secret, where))
        if kind is int and value > 10**12:
            found = self._text(str(value), where, 0, False)
            if found is not None and found.startswith("[REDACTED:"):
                return self._change(where, key, value, found)
        return value

    def _secret_number(self, value: float, where: str, key: str | None, strength: Strength | None) -> bool:
        if where in self._forced or key in self._denied_keys:
            return True
        return strength in ("strong", "number") and value not in (0, 1)

    def _change(self, where: str, key: str | None, old: Any, new: Any) -> Any:
        self.edits.append(Edit(where, key, old, new))
        return new

    def _leaf(self, value: str, where: str, key: str | None, strength: Strength | None) -> Any:
        if key in _UNREAD:
            return value
        forced = where in self._forced or key in self._denied_keys
        if not forced and strength is not None and self._allowed is not None and self._allowed(_KINDS[strength], value):
            strength = None
        if (strength is not None or forced) and value and _secret(value, strength or "number", forced=forced):
            head = value.split(" ", 1)
            scheme = len(head) == 2 and head[0].lower() in ("bearer", "basic", "token", "bot", "apikey", "negotiate")
            secret = head[1].strip() if scheme else value
            text = self._mark(Secret(secret, _KINDS[strength], _guessable(strength, secret)), where)
            return self._change(where, key, value, f"{head[0]} {text}" if scheme else text)
        new = self._text(value, where, 0, key not in _OPAQUE)
        return value if new is None else self._change(where, key, value, new)

    def swept_leaf(self, value: str, where: str, key: str | None) -> str:
        """A text that is only looked at for values known already."""
        new = None if key in _UNREAD or key in _OPAQUE else self._text(value, where, 0, False)
        return value if new is None else str(self._change(where, key, value, new))

    def _object(
        self, value: dict[str, Any], where: str, strength: Strength | None, depth: int, group: str | None = None
    ) -> Any:  # fmt: skip
        if depth > MAX_DEPTH:
            raise TooDeep
        keys = _shape(tuple(value))
        if keys.schema and _is_schema(value):
            return self._schema(value, where, None, depth)
        named: Strength | None = "made" if keys.cookie else None
        named = (_pair(value) if keys.pair else None) or named
        columns = _table(value) if keys.table else None
        many = group is not None and group.endswith(("s", "secret", "S"))
        changed: dict[str, Any] = {}
        renamed: dict[str, str] = {}
        dull = () if self._named_places else self._dull
        for (key, item), (step, own, long) in zip(value.items(), keys.each, strict=True):
            judged = own
            if named is not None and key in _VALUES:
                judged = named
            elif strength is not None and own is None and key in _UNDER:
                judged = strength
            elif many and strength in ("strong", "made", "token") and own is None and holds(key):
                judged = "made"
            elif keys.jwk and key in _JWK_PRIVATE:
                judged = "strong"
            if judged is None and not long and type(item) is str and item in dull:
                continue
            at = f"{where}/{step}"
            if long and (new_key := self._key(key, at)) is not key:
                renamed[key] = new_key
            if columns is not None and key in _ROWS:
                new = self._rows(item, at, columns, depth)
            else:
                new = self._any(item, at, key, judged, depth)
            if new is not item:
                changed[key] = new
        if renamed:
            return {renamed.get(key, key): changed.get(key, item) for key, item in value.items()}
        return {**value, **changed} if changed else value

    def _key(self, key: str, where: str) -> str:
        new = self._text(key, where, 0, False)
        return key if new is None else str(self._change(where, "", key, new))

    def _schema(self, value: dict[str, Any], where: str, strength: Strength | None, depth: int) -> Any:
        """A schema: names are names, and only its values are values."""
        if depth > MAX_DEPTH:
            raise TooDeep
        changed: dict[str, Any] = {}
        for key, item in value.items():
            at = f"{where}/{_step(key)}"
            if key == "properties" and isinstance(item, dict):
                inner = {
                    name: self._schema(field, f"{at}/{_step(name)}", classify(name), depth + 1)
                    if isinstance(field, dict) else self._any(field, f"{at}/{_step(name)}", name, None, depth)
                    for name, field in item.items()
                }  # fmt: skip
                new: Any = inner if any(inner[n] is not item[n] for n in item) else item
            elif isinstance(item, dict) and key not in _SCHEMA_VALUES:
                new = self._schema(item, at, strength, depth + 1)
            else:
                new = self._any(item, at, key, strength if key in _SCHEMA_VALUES and key != "enum" else None, depth)
            if new is not item:
                changed[key] = new
        return {**value, **changed} if changed else value

    def _list(self, value: list[Any], where: str, strength: Strength | None, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise TooDeep
        if len(value) == 2 and strength is None and isinstance(value[0], str) and isinstance(value[1], str):
            pair = classify(value[0]) if " " not in value[0] else None
            if pair is not None:
                new = self._any(value[1], f"{where}/1", None, pair, depth)
                return value if new is value[1] else [value[0], new]
        columns = _head_row(value) if strength is None else None
        if columns is not None:
            return self._rows(value, where, columns, depth)
        out: list[Any] | None = None
        flag: Strength | None = None
        given = arguments(value)
        for i, item in enumerate(value):
            if i in given:
                new = self._argument(item, given[i], f"{where}/{i}")
            else:
                new = self._any(item, f"{where}/{i}", None, flag or strength, depth)
            flag = _flag(item) if isinstance(item, str) else None
            if new is not item:
                out = list(value) if out is None else out
                out[i] = new
        return value if out is None else out

    def _argument(self, item: str, start: int, where: str) -> Any:
        """An argument of a command that is a password from `start` on."""
        if placeholder(item[start:]) or item.startswith("[REDACTED:", start):
            return item
        return self._change(
            where, None, item, item[:start] + self._mark(Secret(item[start:], "password", False), where)
        )

    def _rows(self, rows: Any, where: str, columns: list[Strength | None], depth: int) -> Any:
        if not isinstance(rows, list):
            return self._any(rows, where, None, None, depth)
        out = [
            [
                self._any(cell, f"{where}/{i}/{j}", None, columns[j] if j < len(columns) else None, depth + 1)
                for j, cell in enumerate(row)
            ]
            if isinstance(row, list) else self._any(row, f"{where}/{i}", None, None, depth)
            for i, row in enumerate(rows)
        ]  # fmt: skip
        return rows if out == rows else out


def quick_look(value: Any) -> bool:
    """Whether nothing in a document is marked by a name or a structure: cheap, and never wrong with its yes."""
    stack = [value]
    while stack:
        item = stack.pop()
        if type(item) is dict:
            keys = _shape(tuple(item))
            if keys.telling or (keys.pair and _pair(item) is not None):
                return False
            for v in item.values():
                kind = type(v)
                if kind is dict or kind is list:
                    stack.append(v)
                elif kind is int and v > 10**12:
                    return False
        elif type(item) is list:
            if len(item) == 2 and type(item[0]) is str and classify(item[0][:128]):
                return False
            if len(item) > 1 and type(item[0]) is list and _head_row(item):
                return False
            for v in item:
                kind = type(v)
                if kind is str:
                    if v.startswith("-"):
                        return False
                elif kind is dict or kind is list:
                    stack.append(v)
                elif kind is int and v > 10**12:
                    return False
        elif type(item) is int and item > 10**12:
            return False
    return True


def _secret(value: str, strength: Strength, *, forced: bool) -> bool:
    if placeholder(value):
        return False
    if forced or strength == "strong":
        return forced or not (code(value) or (rooted(value) and path(value)))
    if strength == "made":
        return made(value)
    if strength == "number":
        return number(value)
    return tokenish(value) and not code(value) and "xxxx" not in value.lower()


_KINDS = {"strong": "password", "token": "token", "made": "token", "number": "code", None: "answer"}


def _guessable(strength: Strength | None, value: str) -> bool:
    """Codes and short numbers can be found by trying them all: they get no fingerprint."""
    return strength == "number" or (len(value) < 12 and value.isdigit())


def _is_schema(value: dict[str, Any]) -> bool:
    properties = value["properties"]
    return isinstance(properties, dict) and all(isinstance(p, (dict, bool)) for p in properties.values())


def _pair(value: dict[str, Any]) -> Strength | None:
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


def _head_row(rows: list[Any]) -> list[Strength | None] | None:
    """What the first row of a table says of its columns."""
    head = rows[0] if len(rows) > 1 else None
    if type(head) is not list or not 1 < len(head) <= 64 or type(rows[1]) is not list or len(rows[1]) != len(head):
        return None
    if not all(type(name) is str and len(name) <= 40 for name in head):
        return None
    said = [classify(name) for name in head]
    return said if any(said) and not all(said) else None


def _table(value: dict[str, Any]) -> list[Strength | None] | None:
    for key in _COLUMNS:
        heads = value.get(key)
        if isinstance(heads, list) and heads:
            names = [h.get("name") if isinstance(h, dict) else h for h in heads]
            if all(isinstance(n, str) for n in names):
                said = [classify(n) for n in names]
                return said if any(said) else None
    return None


def _flag(item: str) -> Strength | None:
    """What `--name` says of the argument after it."""
    return classify(item.lstrip("-")) if item.startswith("-") and "=" not in item and len(item) < 80 else None


def _step(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key
