"""One redaction under way: of a text, of texts within texts, and of documents that are plain.

Rules. What is found is noted with its place; what stands for it is put in its stead. A text that is JSON is redacted as
a document of its own; what is encoded is opened, and closed again as it was.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import msgspec

from auditor.redact.document import Edit, Secret, Walk, by_name
from auditor.redact.keys import Strength
from auditor.redact.look import ANYTHING, Look, look_at, readable
from auditor.redact.nested import (
    base64_runs,
    encode_base64,
    encode_percent,
    has_run,
    open_base64,
    percent_runs,
)
from auditor.redact.plain import Plain
from auditor.redact.result import Redaction
from auditor.redact.spans import Span
from auditor.redact.splice import splice, splice_texts
from auditor.redact.sweep import MARKER
from auditor.redact.text import Scanner, Start, merge
from auditor.wire.jsontext import apart, repeats

MAX_NESTING = 6  # texts inside texts
LEAST = 4  # characters of a text that can hold a secret
SHORT = 64  # characters up to which a text is remembered: the same short ones come again and again
_MOST_DULL, _MOST_TOLD = 4096, 512

Fingerprint = Callable[[str], str]
Allowed = Callable[[str, str], bool]
"""Whether a value of a kind is exempt by policy."""
Short = tuple[str, Strength | None, bool, int]
"""A text, what its name says, whether it may be opened, and how deep in others it stands."""


class Told(NamedTuple):
    """What became of a text, and the secrets that were in it with their fingerprints."""

    new: str
    secrets: list[Secret]
    fingerprints: list[str | None]


class Means:
    """What every redaction works with: detectors, fingerprints, exemptions, and short texts that are known already."""

    def __init__(
        self, scanner: Scanner, fingerprint: Fingerprint, allowed: Allowed | None, denied: Iterable[re.Pattern[str]]
    ) -> None:
        self.scanner, self.fingerprint, self.allowed = scanner, fingerprint, allowed
        self.denied = tuple(denied)
        self.dull: set[str] = set()
        """Texts in which there is nothing."""
        self.told: dict[Short, Told] = {}
        """Texts of plain documents with what is in them."""

    def look(self, text: str) -> Look:
        """Look at a document."""
        return look_at(readable(text), self.scanner, sure=not self.denied)

    def forget(self, text: str) -> None:
        """Remember a short text in which there is nothing."""
        if len(self.dull) >= _MOST_DULL:
            self.dull.clear()
        self.dull.add(text)

    def tell(self, text: Short, told: Told) -> None:
        """Remember a short text with what is in it."""
        if len(self.told) >= _MOST_TOLD:
            self.told.clear()
        self.told[text] = told


class Run:
    """One redaction under way."""

    def __init__(self, means: Means, known: Iterable[Secret], look: Look = ANYTHING) -> None:
        """`known` are secrets that were found before; `look` is of the document that is redacted."""
        self._means, self._look = means, look
        self._known = tuple(known)
        self.hits: list[Redaction] = []
        self.secrets: list[Secret] = []

    @property
    def values(self) -> tuple[Secret, ...]:
        """What must not be left anywhere."""
        return (*self._known, *self.secrets)

    def mark(self, secret: Secret, where: str) -> str:
        """Note a secret; gives the text that stands for it."""
        fp = None if secret.guessable else self._means.fingerprint(secret.value)
        self.hits.append(Redaction(where, secret.kind, fp))
        self.secrets.append(secret)
        return f"[REDACTED:{secret.kind}:fp={fp}]" if fp else f"[REDACTED:{secret.kind}]"

    def plain(self, text: str, value: Any, look: Look, where: str | None = None, depth: int = 0) -> str | None:
        """Redact a document of which only some texts are to be looked at; None when it takes the whole walk. `where` it
        stands when it is a text within another."""
        if look.starts is None or self._means.allowed is not None:
            return None
        first = len(self.secrets)
        plain = Plain(look.starts, partial(self._leaf, look, depth, where))
        done = splice_texts(text, plain.edits) if plain.redact(value) else None
        if done is None:
            del self.secrets[first:], self.hits[first:]
        return done

    def _leaf(
        self, look: Look, depth: int, place: str | None,
        text: str, where: str, strength: Strength | None, starts: list[Start] | None, opened: bool,
    ) -> str | None:  # fmt: skip
        """Redact one text of a plain document. It shows all that matters, so that the same one is told only once."""
        this = (text, strength, opened, depth)
        known = self._means.told.get(this)
        where = where if place is None else place
        if known is not None:
            self.secrets += known.secrets
            self.hits += [Redaction(where, s.kind, fp) for s, fp in zip(known.secrets, known.fingerprints, strict=True)]
            return known.new
        first = len(self.secrets)
        new = by_name(text, where, strength, self.mark) if strength is not None else None
        if new is None and starts is not None and len(text) >= LEAST and text not in self._means.dull:
            new = self._looked(text, where, depth, opened, look, starts)
        if new is not None and len(text) <= SHORT:
            self._means.tell(this, Told(new, self.secrets[first:], [h.fp for h in self.hits[first:]]))
        return new

    def text(self, text: str, where: str, depth: int, opened: bool, look: Look | None = None) -> str | None:
        """Redact one text of a document that was looked at; None when nothing was found."""
        if len(text) < LEAST or text in self._means.dull:
            return None
        starts = None
        if look is None:
            look = ANYTHING if depth else self._look
        if look.starts is not None and (starts := look.starts.get(text)) is None:
            return None
        return self._looked(text, where, depth, opened, look, starts)

    def _looked(
        self, text: str, where: str, depth: int, opened: bool, look: Look, starts: list[Start] | None
    ) -> str | None:
        opened = opened and depth < MAX_NESTING
        if opened and look.json:
            done, found = self._inner(text, where, depth)
            if done:
                return found
        spans = self._spans(text, look, starts)
        pieces = [(s.start, s.end, self._replacement(text, s, where)) for s in spans]
        if opened and (look.base64 or look.percent) and len(text) - sum(b - a for a, b, _ in pieces) >= look.least:
            pieces += self._encoded(text, where, depth, pieces)
        if pieces:
            return _joined(text, pieces)
        if opened and len(text) <= SHORT:
            self._means.forget(text)
        return None

    def _replacement(self, text: str, s: Span, where: str) -> str:
        return self.mark(Secret(text[s.start : s.end], s.kind, s.guessable), where)

    def _spans(self, text: str, look: Look, starts: list[Start] | None) -> list[Span]:
        spans = self._means.scanner.scan(text, numbers=look.numbers, runs=look.base64, starts=starts)
        if self._means.denied:
            spans += [Span(m.start(), m.end(), "denied") for p in self._means.denied for m in p.finditer(text) if m[0]]
            spans = merge(spans)
        allowed = self._means.allowed
        if spans and allowed is not None:
            spans = [s for s in spans if s.kind == "denied" or not allowed(s.kind, text[s.start : s.end])]
        return _unmarked(text, spans) if spans else spans

    def _inner(self, text: str, where: str, depth: int) -> tuple[bool, str | None]:
        """A text that is JSON, or lines some of which are: (whether it was, what it became)."""
        first = text.lstrip()[:1]
        if first and first in '{["' and text.rstrip()[-1] in '}]"':
            try:
                value = msgspec.json.decode(text)
            except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
                value = None
            if value is not None:
                if repeats(value, text):
                    return True, self._walked(text, apart(text), where, depth + 1, apart)
                return True, self._nested(text, value, where, depth + 1)
        if "\n" in text and ("\n{" in text or "\ndata: {" in text or text.startswith(("{", "data: {"))):
            return self._lines(text, where, depth)
        return False, None

    def _nested(self, text: str, value: Any, where: str, depth: int) -> str | None:
        look = self._means.look(text)
        done = self.plain(text, value, look, where, depth)
        if done is not None:
            return None if done is text else done
        return self._walked(text, value, where, depth, msgspec.json.decode, look)

    def _walked(
        self, text: str, value: Any, where: str, depth: int, read: Callable[[str], Any], look: Look = ANYTHING
    ) -> str | None:
        walk = Walk(lambda t, _w, d, o: self.text(t, where, depth + d, o, look), lambda s, _w: self.mark(s, where))
        new = walk.redact(value)
        return splice(text, new, last(walk.edits), read) if walk.edits else None

    def _lines(self, text: str, where: str, depth: int) -> tuple[bool, str | None]:
        """Lines of JSON, or server-sent events: each on its own, the rest as text."""
        out, changed = [], False
        for line in text.split("\n"):
            head = "data: " if line.startswith("data: ") else ""
            body = line[len(head) :]
            done, found = self._inner(body, where, depth) if body[:1] in ("{", "[") else (False, None)
            if not done:
                found = self.text(body, where, MAX_NESTING, False)
            changed = changed or found is not None
            out.append(head + (body if found is None else found))
        return changed, "\n".join(out) if changed else None

    def _encoded(
        self, text: str, where: str, depth: int, taken: list[tuple[int, int, str]]
    ) -> list[tuple[int, int, str]]:
        pieces = []
        for start, end in base64_runs(text) if has_run(text.encode("utf-8", "replace")) else ():
            if _overlaps(start, end, taken) or (opened := open_base64(text[start:end])) is None:
                continue
            inside, skip = opened
            if (new := self.text(inside, where, depth + 1, True)) is not None:
                pieces.append((start, end, encode_base64(new, text[start:end], skip)))
        for start, end, inside in percent_runs(text):
            if not _overlaps(start, end, taken + pieces):
                new = self.text(inside, where, depth + 1, True)
                if new is not None:
                    pieces.append((start, end, encode_percent(new)))
        return pieces


def last(edits: list[Edit]) -> list[Edit]:
    """A leaf that was changed twice is one edit, from its first text to its last."""
    by_place: dict[str, Edit] = {}
    for e in edits:
        first = by_place.get(e.where)
        by_place[e.where] = e if first is None else Edit(e.where, e.key, first.old, e.new)
    return list(by_place.values())


def _overlaps(start: int, end: int, taken: list[tuple[int, int, str]]) -> bool:
    return any(a < end and start < b for a, b, _ in taken)


def _unmarked(text: str, spans: list[Span]) -> list[Span]:
    """Without those that a marker of ours stands in."""
    if "[REDACTED:" not in text:
        return spans
    marks = [m.span() for m in MARKER.finditer(text)]
    return [s for s in spans if not any(a < s.end and s.start < b for a, b in marks)]


def _joined(text: str, pieces: list[tuple[int, int, str]]) -> str:
    if len(pieces) == 1:
        start, end, new = pieces[0]
        return f"{text[:start]}{new}{text[end:]}"
    out, at = [], 0
    for start, end, new in sorted(pieces):
        out += [text[at:start], new]
        at = end
    return "".join([*out, text[at:]])
