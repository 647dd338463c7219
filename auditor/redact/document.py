"""Secrets in a decoded document: by the names of keys, by structure, and by what the texts themselves show.

Rules. A JSON Schema is no secret as a schema, its defaults and examples are values. A value is judged by the nearest
name: its key, the `name` beside a `value`, the flag before it, the head of its column. A document without a secret
comes back as the same object.
"""

from collections.abc import Callable, Container
from typing import Any

import msgspec

from auditor.redact.commands import arguments
from auditor.redact.keys import Strength, classify, holds
from auditor.redact.structure import (
    JWK_PRIVATE,
    OPAQUE,
    ROWS,
    SCHEMA_VALUES,
    UNDER,
    UNREAD,
    VALUES,
    flag_of,
    head_row,
    is_schema,
    pair_of,
    shape_of,
    step_of,
    table_of,
)
from auditor.redact.values import code, made, number, path, placeholder, rooted, tokenish

MAX_DEPTH = 250


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
            return self.leaf(value, where, key, strength)
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

    def leaf(self, value: str, where: str, key: str | None, strength: Strength | None) -> Any:
        """A text under a key (None in a list), of which names say so much, with its secrets taken out."""
        if key in UNREAD:
            return value
        forced = where in self._forced or key in self._denied_keys
        if not forced and strength is not None and self._allowed is not None and self._allowed(_KINDS[strength], value):
            strength = None
        new = by_name(value, where, strength, self._mark, forced=forced) if strength is not None or forced else None
        if new is None:
            new = self._text(value, where, 0, key not in OPAQUE)
        return value if new is None else self._change(where, key, value, new)

    def swept_leaf(self, value: str, where: str, key: str | None) -> str:
        """A text that is only looked at for values known already."""
        new = None if key in UNREAD or key in OPAQUE else self._text(value, where, 0, False)
        return value if new is None else str(self._change(where, key, value, new))

    def _object(
        self, value: dict[str, Any], where: str, strength: Strength | None, depth: int, group: str | None = None
    ) -> Any:  # fmt: skip
        if depth > MAX_DEPTH:
            raise TooDeep
        keys = shape_of(tuple(value))
        if keys.schema and is_schema(value):
            return self._schema(value, where, None, depth)
        named: Strength | None = "made" if keys.cookie else None
        named = (pair_of(value) if keys.pair else None) or named
        columns = table_of(value) if keys.table else None
        many = group is not None and group.endswith(("s", "secret", "S"))
        changed: dict[str, Any] = {}
        renamed: dict[str, str] = {}
        dull = () if self._named_places else self._dull
        for (key, item), (step, own, long) in zip(value.items(), keys.each, strict=True):
            judged = own
            if named is not None and key in VALUES:
                judged = named
            elif strength is not None and own is None and key in UNDER:
                judged = strength
            elif many and strength in ("strong", "made", "token") and own is None and holds(key):
                judged = "made"
            elif keys.jwk and key in JWK_PRIVATE:
                judged = "strong"
            if judged is None and not long and type(item) is str and item in dull:
                continue
            at = f"{where}/{step}"
            if long and (new_key := self._key(key, at)) is not key:
                renamed[key] = new_key
            if columns is not None and key in ROWS:
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
            at = f"{where}/{step_of(key)}"
            if key == "properties" and isinstance(item, dict):
                inner = {
                    name: self._schema(field, f"{at}/{step_of(name)}", classify(name), depth + 1)
                    if isinstance(field, dict) else self._any(field, f"{at}/{step_of(name)}", name, None, depth)
                    for name, field in item.items()
                }  # fmt: skip
                new: Any = inner if any(inner[n] is not item[n] for n in item) else item
            elif isinstance(item, dict) and key not in SCHEMA_VALUES:
                new = self._schema(item, at, strength, depth + 1)
            else:
                new = self._any(item, at, key, strength if key in SCHEMA_VALUES and key != "enum" else None, depth)
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
        columns = head_row(value) if strength is None else None
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
            flag = flag_of(item) if isinstance(item, str) else None
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
            keys = shape_of(tuple(item))
            if keys.telling or (keys.pair and pair_of(item) is not None):
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
            if len(item) > 1 and type(item[0]) is list and head_row(item):
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


def by_name(value: str, where: str, strength: Strength | None, mark: Marker, *, forced: bool = False) -> str | None:
    """What becomes of a text of which a name, or who forces it, says that it is a secret; None when it is none."""
    if not value or not _secret(value, strength or "number", forced=forced):
        return None
    scheme, blank, rest = value.partition(" ")
    if blank and scheme.lower() in _SCHEMES:
        secret = rest.strip()
        if placeholder(secret) and not forced:
            return None
        return f"{scheme} {mark(Secret(secret, _KINDS[strength], _guessable(strength, secret)), where)}"
    return mark(Secret(value, _KINDS[strength], _guessable(strength, value)), where)


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


_SCHEMES = ("bearer", "basic", "token", "bot", "apikey", "negotiate")
_KINDS = {"strong": "password", "token": "token", "made": "token", "number": "code", None: "answer"}


def _guessable(strength: Strength | None, value: str) -> bool:
    """Codes and short numbers can be found by trying them all: they get no fingerprint."""
    return strength == "number" or (len(value) < 12 and value.isdigit())
