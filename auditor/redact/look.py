"""What can be in the texts of a document, told by one look at all of it: no is certain.

Rules. Where no escape stands in a document but those of line ends and tabs, its texts are what is between its quotation
marks: one pass over all of it tells which of them are to be looked at. Elsewhere every text is.
"""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from auditor.redact.nested import LEAST_BASE64, LEAST_PERCENT, has_run, run_starts
from auditor.redact.text import Scanner, Start, numeric


class Look(NamedTuple):
    """`starts`: the texts in which something may begin or be encoded, and where; None when nobody knows which."""

    json: bool = True
    base64: bool = True
    percent: bool = True
    numbers: bool = True
    starts: dict[str, list[Start]] | None = None

    @property
    def least(self) -> int:
        """Characters of a text that can be encoded."""
        return LEAST_PERCENT if self.percent else LEAST_BASE64


ANYTHING = Look()
_HARD = re.compile(r"\\[^nrt]")


def readable(text: str) -> str | None:
    """A document with its line ends and tabs in place of their escapes: then its texts are what is between its
    quotation marks. None where other escapes stand in it, which take a reader to see through."""
    if "\\" not in text:
        return text
    return None if _HARD.search(text) else text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r")


def look_at(text: str | None, scanner: Scanner, *, sure: bool) -> Look:
    """Look at a document that is readable; when not `sure`, its texts are searched for more than the scanner finds."""
    if text is None:
        return ANYTHING
    numbers, percent = numeric(text), "%" in text
    if numbers or not sure:
        return Look(False, has_run(text.encode("utf-8", "replace")), percent, numbers)
    starts: dict[str, list[Start]] = {_around(text, at): [] for at in run_starts(text)}
    base64 = bool(starts)
    if percent:
        starts.update((_around(text, at), []) for at in _percent_starts(text))
    first = end = 0
    own: list[Start] | None = None
    for word, start, stop in scanner.starts(text):
        if not first <= start < end:
            first, end = text.rfind('"', 0, start) + 1, text.find('"', start)
            own = None if starts.get(text[first:end]) else starts.setdefault(text[first:end], [])
        if own is not None:
            own.append((word, start - first, stop - first))
    return Look(False, base64, percent, False, starts)


def _around(text: str, at: int) -> str:
    return text[text.rfind('"', 0, at) + 1 : text.find('"', at)]


def _percent_starts(text: str) -> Iterator[int]:
    """The first sign of percent-encoding in each text."""
    at = text.find("%")
    while at >= 0:
        yield at
        end = text.find('"', at)
        at = text.find("%", end) if end >= 0 else -1


class Dull(Container[str]):
    """Texts in which there is nothing, unless a name says so: known ones, and all in which nothing begins."""

    def __init__(self, known: set[str], starts: dict[str, list[Start]] | None) -> None:
        self._known, self._starts = known, starts

    def __contains__(self, text: object) -> bool:
        return (self._starts is not None and text not in self._starts) or text in self._known
