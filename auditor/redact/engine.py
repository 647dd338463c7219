"""Redaction of one text or document, with the ways it can go: not at all, by looking closer, or not possible.

Rules. Most messages hold no secret, and are told by one pass over their text and one look at their keys. The rest is
walked; what was found is looked for in all of it; the text is spliced and read again. What cannot be done to the end is
an error, and an error stores nothing.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from auditor.redact.document import Edit, Secret, Walk, by_name, quick_look
from auditor.redact.keys import Strength
from auditor.redact.look import ANYTHING, Dull, Look, look_at, readable
from auditor.redact.nested import (
    base64_runs,
    encode_base64,
    encode_percent,
    has_run,
    open_base64,
    percent_runs,
)
from auditor.redact.plain import Plain
from auditor.redact.result import Redacted, Redaction
from auditor.redact.spans import Span
from auditor.redact.splice import splice, splice_texts
from auditor.redact.text import Scanner, Start

MAX_NESTING = 6  # texts inside texts
MAX_TEXT = 64 << 20  # characters of one text that are looked at: more is not stored
_MARKER = re.compile(r"\[REDACTED:[^\]\n]{1,120}\]")
_SHORT = 64  # characters up to which a text is remembered: the same short ones come again and again
_MOST_DULL, _MOST_TOLD = 4096, 512
_LEAST_SWEPT = 6  # characters of a found value that is looked for everywhere

Fingerprint = Callable[[str], str]
Allowed = Callable[[str, str], bool]
"""Whether a value of a kind is exempt by policy."""


class Engine:
    """Detectors, fingerprints and exemptions, put together."""

    def __init__(
        self, scanner: Scanner, fingerprint: Fingerprint, allowed: Allowed | None = None,
        denied: Iterable[re.Pattern[str]] = (), denied_keys: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self._scanner, self._fingerprint, self._allowed = scanner, fingerprint, allowed
        self._denied, self._denied_keys = tuple(denied), denied_keys
        self._dull: set[str] = set()  # short texts in which nothing was found
        self._told: dict[tuple[str, Strength | None, bool], _Told] = {}  # and those with secrets, of plain documents

    def clean(self, raw: bytes, text: str, value: Any) -> bool:
        """Whether a message plainly holds no secret; a no says nothing."""
        if self._denied or self._denied_keys or b"%" in raw:
            return False
        shown = readable(text)
        if shown is None or not quick_look(value):
            return False
        runs = has_run(raw)
        if runs and any(open_base64(shown[a:b]) for a, b in base64_runs(shown)):
            return False
        return not self._scanner.scan(
            shown.replace('"', "\n"), runs=runs
        )  # each text stands by itself, as on lines of its own

    def dull(self, text: str) -> None:
        """Remember a short text in which there is nothing."""
        if len(self._dull) >= _MOST_DULL:
            self._dull.clear()
        self._dull.add(text)

    def document(
        self,
        text: str,
        value: Any,
        read: Callable[[str], Any],
        forced: frozenset[str] = frozenset(),
        known: Iterable[Secret] = (),
    ) -> tuple[str, Any, list[Redaction], list[Secret]]:
        """Redact a document: (text, value, what was taken out, the secrets themselves)."""
        if len(text) > MAX_TEXT:
            raise ValueError("too large to be looked at")
        look = look_at(readable(text), self._scanner, sure=not self._denied)
        if look.starts is not None and not (forced or self._denied_keys or self._allowed):
            plain = self._plain(text, value, read, look, known)
            if plain is not None:
                return plain
        run = _Run(self, known, look)
        walk = Walk(run.text, run.mark, forced, self._denied_keys, self._allowed, Dull(self._dull, look.starts))
        new = walk.redact(value)
        done = splice(text, new, _last(walk.edits), read) if walk.edits else text
        if run.left_in(done):
            new, swept = run.sweep(new)
            if swept:
                done = splice(text, new, _last(walk.edits + swept), read)
        return done, new, run.hits, run.secrets

    def _plain(
        self, text: str, value: Any, read: Callable[[str], Any], look: Look, known: Iterable[Secret]
    ) -> tuple[str, Any, list[Redaction], list[Secret]] | None:
        """Redact a document of which only some texts are to be looked at; None when it takes the whole walk."""
        assert look.starts is not None
        run = _Run(self, known, look)
        plain = Plain(look.starts, run.leaf)
        if not plain.redact(value):
            return None
        done = splice_texts(text, plain.edits)
        if done is None or run.left_in(done):
            return None
        return done, read(done) if plain.edits else value, run.hits, run.secrets

    def text(self, text: str, where: str, known: Iterable[Secret] = ()) -> tuple[str, list[Redaction], list[Secret]]:
        """Redact a text that is no document."""
        if len(text) > MAX_TEXT:
            raise ValueError("too large to be looked at")
        run = _Run(self, known)
        new = run.text(text, where, 0, True)
        new = run.swept(text if new is None else new, where) or new
        return (text if new is None else new), run.hits, run.secrets


def _last(edits: list[Edit]) -> list[Edit]:
    """A leaf that was changed twice is one edit, from its first text to its last."""
    by_place: dict[str, Edit] = {}
    for e in edits:
        first = by_place.get(e.where)
        by_place[e.where] = e if first is None else Edit(e.where, e.key, first.old, e.new)
    return list(by_place.values())


class _Told(NamedTuple):
    """What became of a text, and the secrets that were in it with their fingerprints."""

    new: str
    secrets: list[Secret]
    fingerprints: list[str | None]


class _Run:
    """One redaction under way."""

    def __init__(self, engine: Engine, known: Iterable[Secret], look: Look = ANYTHING) -> None:
        self._engine = engine
        self._look = look
        self._known = tuple(known)
        self.hits: list[Redaction] = []
        self.secrets: list[Secret] = []

    def mark(self, secret: Secret, where: str) -> str:
        """Note a secret; gives the text that stands for it."""
        fp = None if secret.guessable else self._engine._fingerprint(secret.value)
        self.hits.append(Redaction(where, secret.kind, fp))
        self.secrets.append(secret)
        return f"[REDACTED:{secret.kind}:fp={fp}]" if fp else f"[REDACTED:{secret.kind}]"

    def text(self, text: str, where: str, depth: int, opened: bool) -> str | None:
        """Redact one text; None when nothing was found."""
        if len(text) < 4 or text in self._engine._dull:
            return None
        look, starts = self._look if depth == 0 else ANYTHING, None
        if look.starts is not None and (starts := look.starts.get(text)) is None:
            return None
        opened = opened and depth < MAX_NESTING
        if opened and look.json:
            done, found = self._inner(text, where, depth)
            if done:
                return found
        return self._pieces(text, where, depth, opened, look, self._spans(text, look, starts))

    def leaf(
        self, text: str, where: str, strength: Strength | None, starts: list[Start] | None, opened: bool
    ) -> str | None:
        """Redact one text of a plain document: it shows all that matters, so that the same one is told only once."""
        told = self._engine._told
        known = told.get((text, strength, opened))
        if known is not None:
            self.secrets += known.secrets
            self.hits += [Redaction(where, s.kind, fp) for s, fp in zip(known.secrets, known.fingerprints, strict=True)]
            return known.new
        first = len(self.secrets)
        new = by_name(text, where, strength, self.mark) if strength is not None else None
        if new is None and starts is not None:
            new = self._begun(text, where, starts, opened)
        if new is not None and len(text) <= _SHORT:
            if len(told) >= _MOST_TOLD:
                told.clear()
            told[text, strength, opened] = _Told(new, self.secrets[first:], [h.fp for h in self.hits[first:]])
        return new

    def _begun(self, text: str, where: str, starts: list[Start], opened: bool) -> str | None:
        """Redact a text in which something may begin at `starts`; None where nothing does."""
        if len(text) < 4 or text in self._engine._dull:
            return None
        look = self._look
        spans = self._engine._scanner.scan(text, numbers=False, runs=look.base64, starts=starts)
        return self._pieces(text, where, 0, opened, look, _unmarked(text, spans) if spans else spans)

    def _pieces(self, text: str, where: str, depth: int, opened: bool, look: Look, spans: list[Span]) -> str | None:
        pieces = [(s.start, s.end, self._replacement(text, s, where)) for s in spans]
        if opened and (look.base64 or look.percent) and len(text) - sum(b - a for a, b, _ in pieces) >= look.least:
            pieces += self._encoded(text, where, depth, pieces)
        if pieces:
            return _joined(text, pieces)
        if opened and len(text) <= _SHORT:
            self._engine.dull(text)
        return None

    def _replacement(self, text: str, s: Span, where: str) -> str:
        return self.mark(Secret(text[s.start : s.end], s.kind, s.guessable), where)

    def _spans(self, text: str, look: Look, starts: list[Start] | None) -> list[Span]:
        spans = self._engine._scanner.scan(text, numbers=look.numbers, runs=look.base64, starts=starts)
        if self._engine._denied:
            spans += [
                Span(m.start(), m.end(), "denied") for p in self._engine._denied for m in p.finditer(text) if m[0]
            ]
            spans = _merged(spans)
        allowed = self._engine._allowed
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
                return True, self._nested(text, value, where, depth + 1)
        if "\n" in text and ("\n{" in text or "\ndata: {" in text or text.startswith(("{", "data: {"))):
            return self._lines(text, where, depth)
        return False, None

    def _nested(self, text: str, value: Any, where: str, depth: int) -> str | None:
        walk = Walk(lambda t, _w, d, o: self.text(t, where, depth + d, o), lambda s, _w: self.mark(s, where))
        new = walk.redact(value)
        return splice(text, new, _last(walk.edits), msgspec.json.decode) if walk.edits else None

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

    def left_in(self, text: str) -> bool:
        """Whether a value that may be swept can stand in a document."""
        shown = readable(text)
        values = [s.value for s in (*self._known, *self.secrets) if shown is None or s.value in shown]
        return bool(values) and max(map(len, values)) >= _LEAST_SWEPT

    def sweep(self, value: Any) -> tuple[Any, list[Edit]]:
        """Look for every value found, and every value known, in all of a document."""
        walk = Walk(lambda t, w, _d, _o: self.swept(t, w), self.mark)
        if not self._swept_values():
            return value, []
        new = _sweep(value, "", None, walk)
        return new, walk.edits

    def _swept_values(self) -> list[Secret]:
        seen = {s.value: s for s in (*self._known, *self.secrets) if len(s.value) >= _LEAST_SWEPT}
        return [s for s in seen.values() if not s.value.isalpha() or len(s.value) >= 16]

    def swept(self, text: str, where: str) -> str | None:
        """A text with every known value in it replaced; None when there is none."""
        new = text
        for secret in self._swept_values():
            for spelled in {secret.value, json.dumps(secret.value)[1:-1]}:
                if spelled in new:
                    new = _replace_outside(new, spelled, lambda s=secret: self.mark(s, where))  # type: ignore[misc]
        return None if new == text else new


def _replace_outside(text: str, value: str, mark: Callable[[], str]) -> str:
    """Replace a value wherever it stands alone (as no part of a longer number or word), markers left alone."""
    pattern = re.compile(
        r"(?<![A-Za-z0-9])" + re.escape(value) + r"(?![A-Za-z0-9])" if value.isalnum() else re.escape(value)
    )
    parts = _MARKER.split(text)
    if not any(pattern.search(p) for p in parts):
        return text
    replacement = mark()
    marks = _MARKER.findall(text)
    done = [pattern.sub(lambda _m: replacement, p) for p in parts]
    return "".join(p + m for p, m in zip(done, [*marks, ""], strict=True))


def _sweep(value: Any, where: str, key: str | None, walk: Walk) -> Any:
    """The document with each text swept; the same objects where nothing changed."""
    if isinstance(value, str):
        return walk.swept_leaf(value, where, key)
    if isinstance(value, dict):
        new = {k: _sweep(v, f"{where}/{k}", k, walk) for k, v in value.items()}
        return new if any(new[k] is not value[k] for k in value) else value
    if isinstance(value, list):
        items = [_sweep(v, f"{where}/{i}", None, walk) for i, v in enumerate(value)]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return value


def _overlaps(start: int, end: int, taken: list[tuple[int, int, str]]) -> bool:
    return any(a < end and start < b for a, b, _ in taken)


def _unmarked(text: str, spans: list[Span]) -> list[Span]:
    """Without those that a marker of ours stands in."""
    if "[REDACTED:" not in text:
        return spans
    marks = [m.span() for m in _MARKER.finditer(text)]
    return [s for s in spans if not any(a < s.end and s.start < b for a, b in marks)]


def _merged(spans: list[Span]) -> list[Span]:
    from auditor.redact.text import merge

    return merge(spans)


def _joined(text: str, pieces: list[tuple[int, int, str]]) -> str:
    if len(pieces) == 1:
        start, end, new = pieces[0]
        return f"{text[:start]}{new}{text[end:]}"
    out, at = [], 0
    for start, end, new in sorted(pieces):
        out += [text[at:start], new]
        at = end
    return "".join([*out, text[at:]])


def failed(value: Any, why: str) -> Redacted:
    """What is left of a message that could not be redacted: nothing but what names it."""
    kept = {k: value[k] for k in ("jsonrpc", "method", "id") if k in value} if isinstance(value, dict) else None
    return Redacted(b"", kept, [], why)
