"""What can be in the texts of a document, told by one look at all of it: no is certain.

Rules. Where no escape stands in a document, its texts are what is between its quotation marks: one pass over all of it
tells which of them are to be looked at. Elsewhere every text is.
"""

from collections.abc import Container
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


def look_at(text: str, scanner: Scanner, *, sure: bool) -> Look:
    """Look at a document; when not `sure`, its texts are searched for more than the scanner finds."""
    if "\\" in text:
        return ANYTHING  # what an escape hides cannot be told at a look
    numbers, percent = numeric(text), "%" in text
    if numbers or percent or not sure or not text.isascii():
        return Look(False, has_run(text.encode("utf-8", "replace")), percent, numbers)
    starts: dict[str, list[Start]] = {
        text[text.rfind('"', 0, at) + 1 : text.find('"', at)]: [] for at in run_starts(text)
    }
    base64 = bool(starts)
    first = end = 0
    own: list[Start] | None = None
    for word, start, stop in scanner.starts(text):
        if not first <= start < end:
            first, end = text.rfind('"', 0, start) + 1, text.find('"', start)
            own = None if starts.get(text[first:end]) else starts.setdefault(text[first:end], [])
        if own is not None:
            own.append((word, start - first, stop - first))
    return Look(False, base64, False, False, starts)


class Dull(Container[str]):
    """Texts in which there is nothing, unless a name says so: known ones, and all in which nothing begins."""

    def __init__(self, known: set[str], starts: dict[str, list[Start]] | None) -> None:
        self._known, self._starts = known, starts

    def __contains__(self, text: object) -> bool:
        return (self._starts is not None and text not in self._starts) or text in self._known
