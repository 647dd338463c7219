"""Plain documents: of these, nothing is touched but the few texts that are to be looked at.

Rules. Most documents are plain: nothing in them is marked by a structure, only by the name of a key, or by what the
text itself shows. Whatever is not plain is left to the whole walk.
"""

from collections.abc import Callable
from typing import Any

from auditor.redact.keys import Strength, classify
from auditor.redact.structure import OPAQUE, UNREAD, pair_of, shape_of
from auditor.redact.text import Start

_MAX_DEPTH = 60
_LARGE = 10**12  # numbers beyond it may be a card's

LeafRedactor = Callable[[str, str, Strength | None, list[Start] | None, bool], "str | None"]
"""Redacts a text at a place, given what a name says of it and where something may begin in it; the flag says whether it
may be opened as an encoding. None: nothing found."""


class Plain:
    """One pass over one document, in recorded order. `begun` are the texts in which something may begin, and where."""

    def __init__(self, begun: dict[str, list[Start]], leaf: LeafRedactor) -> None:
        self._begun, self._redacted = begun, leaf
        self.edits: list[tuple[str, str]] = []
        """Texts that change, before and after."""

    def redact(self, value: Any, where: str = "", depth: int = 0) -> bool:
        """Take the secrets out of an object or a list; false when it is not plain."""
        kind = type(value)
        if depth > _MAX_DEPTH:
            return False
        return self._object(value, where, depth) if kind is dict else kind is list and self._list(value, where, depth)

    def _object(self, value: dict[str, Any], where: str, depth: int) -> bool:
        keys = shape_of(tuple(value))
        begun = self._begun
        if keys.structured or (keys.pair and pair_of(value) is not None):
            return False
        if keys.long and not begun.keys().isdisjoint(keys.long):
            return False
        for (key, item), (step, own, _) in zip(value.items(), keys.each, strict=True):
            kind = type(item)
            if kind is str:
                if own is not None or item in begun:
                    self._leaf(item, f"{where}/{step}", key, own)
            elif kind is dict or kind is list:
                if own is not None or not self.redact(item, f"{where}/{step}", depth + 1):
                    return False
            elif (kind is int or kind is float) and (own is not None or item > _LARGE):
                return False
        return True

    def _list(self, value: list[Any], where: str, depth: int) -> bool:
        if value and type(value[0]) is list:
            return False
        if len(value) == 2 and type(value[0]) is str and classify(value[0][:128]):
            return False
        for i, item in enumerate(value):
            kind = type(item)
            if kind is str:
                if item.startswith("-"):
                    return False
                if item in self._begun:
                    self._leaf(item, f"{where}/{i}", None, None)
            elif kind is dict or kind is list:
                if not self.redact(item, f"{where}/{i}", depth + 1):
                    return False
            elif kind is int and item > _LARGE:
                return False
        return True

    def _leaf(self, text: str, where: str, key: str | None, strength: Strength | None) -> None:
        if key in UNREAD:
            return
        new = self._redacted(text, where, strength, self._begun.get(text), key not in OPAQUE)
        if new is not None:
            self.edits.append((text, new))
