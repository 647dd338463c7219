"""What can be in the texts of a document, told by one look at all of it: no is certain.

Rules. Where all escapes in a document are plain ones (line ends, tabs, quotation marks, backslashes), its texts are
what is between its quotation marks: one pass over all of it tells which of them are to be looked at. Elsewhere every
text is.
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
_SLASH, _QUOTE = "\x01", "\x02"  # for a backslash and a quotation mark that are escaped: none stands in JSON itself
_OPENING = ("{", "[", _QUOTE)


def readable(text: str) -> str | None:
    """A document in which one character stands for each escape, so that its texts are what is between its quotation
    marks (`said` gives them as they read). None where other escapes stand in it, which take a reader to see through."""
    if "\\" not in text:
        return text
    if _HARD.search(text):
        if _SLASH in text or _QUOTE in text:
            return None
        text = text.replace("\\\\", _SLASH).replace('\\"', _QUOTE)
        if _HARD.search(text):
            return None
    return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r")


def said(shown: str) -> str:
    """What a text of a readable document says; character by character."""
    return shown.replace(_QUOTE, '"').replace(_SLASH, "\\")


def look_at(shown: str | None, scanner: Scanner, *, sure: bool) -> Look:
    """Look at a document that is readable; when not `sure`, its texts are searched for more than the scanner finds."""
    if shown is None:
        return ANYTHING
    numbers, percent, json = numeric(shown), "%" in shown, _QUOTE in shown
    if numbers or not sure:
        return Look(json, has_run(shown.encode("utf-8", "replace")), percent, numbers)
    text = said(shown) if json or _SLASH in shown else shown
    begun = runs = run_starts(shown)
    if percent:
        begun = [*begun, *_first_ones(shown, "%")]
    if json:
        begun = [*begun, *json_starts(shown)]
    starts: dict[str, list[Start]] = {text[shown.rfind('"', 0, at) + 1 : shown.find('"', at)]: [] for at in begun}
    first = end = 0
    own: list[Start] | None = None
    for word, start, stop in scanner.starts(text):
        if not first <= start < end:
            first, end = shown.rfind('"', 0, start) + 1, shown.find('"', start)
            own = None if starts.get(text[first:end]) else starts.setdefault(text[first:end], [])
        if own is not None:
            own.append((word, start - first, stop - first))
    return Look(json, bool(runs), percent, False, starts)


def json_starts(shown: str) -> Iterator[int]:
    """Where texts stand that may be JSON with texts of its own, or lines of it."""
    for at in _first_ones(shown, _QUOTE):
        first = shown.rfind('"', 0, at) + 1
        text = shown[first : shown.find('"', at)]
        if text.lstrip()[:1] in _OPENING or text.startswith("data: {") or "\n{" in text or "\ndata: {" in text:
            yield first


def holds_json(shown: str) -> bool:
    """Whether there may be such texts in a readable document."""
    return _QUOTE in shown and next(json_starts(shown), None) is not None


def _first_ones(shown: str, sign: str) -> Iterator[int]:
    """The first place of a sign in each text that holds one."""
    at = shown.find(sign)
    while at >= 0:
        yield at
        end = shown.find('"', at)
        at = shown.find(sign, end) if end >= 0 else -1


class Dull(Container[str]):
    """Texts in which there is nothing, unless a name says so: known ones, and all in which nothing begins."""

    def __init__(self, known: set[str], starts: dict[str, list[Start]] | None) -> None:
        self._known, self._starts = known, starts

    def __contains__(self, text: object) -> bool:
        return (self._starts is not None and text not in self._starts) or text in self._known
