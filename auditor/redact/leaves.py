"""The few texts of a plain document that are to be looked at, with what the names above them say.

Rules. Most documents are plain: nothing in them is marked by a structure, only by the name of a key, or by what the
text itself shows. Of such a one nothing but these texts is touched. Whatever is not plain is left to the whole walk.
"""

from collections.abc import Container
from typing import Any, NamedTuple

from auditor.redact.keys import Strength, classify
from auditor.redact.structure import UNREAD, pair_of, shape_of

_MAX_DEPTH = 60
_LARGE = 10**12  # numbers beyond it may be a card's


class Leaf(NamedTuple):
    """A text: where (JSON pointer), the key it stands under (None in a list), and what that says."""

    where: str
    key: str | None
    text: str
    strength: Strength | None


def leaves(value: Any, begun: Container[str]) -> list[Leaf] | None:
    """The texts to look at in recorded order: those of which a name says something, and those in `begun`; None when
    the document is not plain."""
    found: list[Leaf] = []
    return found if _object(value, "", begun, found, 0) else None


def _object(value: Any, where: str, begun: Container[str], found: list[Leaf], depth: int) -> bool:
    if type(value) is list:
        return _list(value, where, begun, found, depth)
    keys = shape_of(tuple(value)) if type(value) is dict else None
    if keys is None or keys.structured or depth > _MAX_DEPTH or (keys.pair and pair_of(value) is not None):
        return False
    for (key, item), (step, own, long) in zip(value.items(), keys.each, strict=True):
        if long and key in begun:
            return False
        kind = type(item)
        if kind is str:
            if (own is not None or item in begun) and key not in UNREAD:
                found.append(Leaf(f"{where}/{step}", key, item, own))
        elif kind is dict or kind is list:
            if own is not None or not _object(item, f"{where}/{step}", begun, found, depth + 1):
                return False
        elif kind in (int, float) and (own is not None or item > _LARGE):
            return False
    return True


def _list(value: list[Any], where: str, begun: Container[str], found: list[Leaf], depth: int) -> bool:
    if depth > _MAX_DEPTH or (value and type(value[0]) is list):
        return False
    if len(value) == 2 and type(value[0]) is str and classify(value[0][:128]):
        return False
    for i, item in enumerate(value):
        kind = type(item)
        if kind is str:
            if item.startswith("-"):
                return False
            if item in begun:
                found.append(Leaf(f"{where}/{i}", None, item, None))
        elif kind is dict or kind is list:
            if not _object(item, f"{where}/{i}", begun, found, depth + 1):
                return False
        elif kind is int and item > _LARGE:
            return False
    return True
