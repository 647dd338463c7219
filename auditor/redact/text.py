"""Secrets in a text: found by the words and prefixes that come with them, never by patterns over the whole text.

Rules. One pass over the text (Aho-Corasick, every match) finds where something may begin; what begins there is then
matched at that place alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import ahocorasick_rs

from auditor.redact import checks
from auditor.redact.dotted import dotted
from auditor.redact.finders import SPECIAL, by_shape, named
from auditor.redact.keys import found_by
from auditor.redact.lists import tokens
from auditor.redact.shapes import Shape, shape
from auditor.redact.spans import Finder, Span
from auditor.redact.values import PUBLIC

Start = tuple[int, int, int]
"""A word or prefix that was found: which, and where it stands."""


class Scanner:
    """Everything that is looked for in texts, compiled once."""

    def __init__(self, extra: dict[str, list[str]] | None = None) -> None:
        self._finders: list[list[Finder]] = []
        self._index: dict[str, int] = {}
        for kind, shapes in _token_shapes().items():
            for one in shapes:
                self._add(one.literal, by_shape(kind, one))
        for kind, patterns in (extra or {}).items():
            for text in patterns:
                one = shape(text)
                self._add(one.literal, by_shape(kind, one))
        for word in found_by():
            self._add(word, named)
        for literal, finder in SPECIAL:
            self._add(literal, finder)
        self._words = Words(list(self._index), ahocorasick_rs.Implementation.DFA)

    def _add(self, literal: str, finder: Finder) -> None:
        key = literal.lower()
        if key not in self._index:
            self._index[key] = len(self._finders)
            self._finders.append([])
        if finder not in self._finders[self._index[key]]:
            self._finders[self._index[key]].append(finder)

    def starts(self, text: str) -> Iterable[Start]:
        """Where something may begin in a text, by their ends."""
        return self._words.find(_lower(text))

    def scan(
        self, text: str, *, numbers: bool = True, runs: bool = True, starts: Iterable[Start] | None = None
    ) -> list[Span]:
        """The secrets in a text, in order and without overlap; `numbers` is false where none can be that count, `runs`
        where no long run of letters is, and `starts` where something may begin, if that is known already."""
        found: list[Span] = []
        finders = self._finders
        reached: dict[int, int] = {}
        for index, start, end in self.starts(text) if starts is None else starts:
            if start < reached.get(index, 0):
                continue
            for finder in finders[index]:
                spans = finder(text, start, end)
                if spans:
                    found.extend(spans)
                    reached[index] = max(s.end for s in spans)
        if runs:
            found.extend(dotted(text))
        if numbers and numeric(text):
            found.extend(
                Span(a, b, kind, True)
                for a, b, kind in checks.numbers(text)
                if text[a:b].replace(" ", "") not in PUBLIC
            )
        return merge(found) if len(found) > 1 else found


class Words:
    """Words that are looked for together (Aho-Corasick)."""

    def __init__(self, words: Sequence[str], kind: ahocorasick_rs.Implementation | None = None) -> None:
        self._automaton = ahocorasick_rs.BytesAhoCorasick(
            [w.encode() for w in words], matchkind=ahocorasick_rs.MatchKind.Standard, implementation=kind
        )
        self._lengths = list(map(len, words))
        self._longest = max(self._lengths, default=0)

    def find(self, text: str) -> Iterable[Start]:
        """All matches as (word, start, end), by their ends; a text may hold lone surrogates."""
        if len(text) <= _WINDOW:
            return self._matches(text)
        return self._windows(text)

    def _windows(self, text: str) -> Iterator[Start]:
        """The same for a large text, window by window: memory is bounded."""
        for at in range(0, len(text), _WINDOW):
            for word, start, end in self._matches(text[at : at + _WINDOW + self._longest]):
                if start < _WINDOW:
                    yield word, at + start, at + end

    def _matches(self, text: str) -> list[Start]:
        try:
            data = text.encode()
        except UnicodeEncodeError:
            data = _SURROGATES.sub("\ufffd", text).encode()
        found = self._automaton.find_matches_as_indexes(data, overlapping=True)
        return found if len(data) == len(text) else self._in_characters(data, found)

    def _in_characters(self, data: bytes, found: list[Start]) -> list[Start]:
        """Matches in UTF-8, counted in characters."""
        out, at, count = [], 0, 0
        for word, _, end in found:
            count += len(data[at:end].decode())
            at = end
            out.append((word, count - self._lengths[word], count))
        return out


_SURROGATES = re.compile("[\ud800-\udfff]")
_WINDOW = 1 << 18


def numeric(text: str) -> bool:
    """Whether a text has digits enough for a number that is looked for."""
    return len(text) >= 9 and checks.likely(text)


def merge(spans: list[Span]) -> list[Span]:
    """In order, overlapping ones made one."""
    out: list[Span] = []
    for s in sorted(spans):
        if out and s.start < out[-1].end:
            last = out[-1]
            if s.end > last.end:
                out[-1] = Span(last.start, s.end, last.kind, last.guessable and s.guessable)
            continue
        out.append(s)
    return out


def _lower(text: str) -> str:
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


@cache
def _token_shapes() -> dict[str, list[Shape]]:
    return {
        kind: [shape(s) for s in (given if isinstance(given, list) else [given])]
        for group in tokens().values()
        for kind, given in group.items()
    }
