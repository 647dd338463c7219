"""Redaction of one text or document, with the ways it can go: not at all, by looking closer, or not possible.

Rules. Most messages hold no secret, and are told by one pass over their text and one look at their keys. Of most others
nothing but a few texts matters; the rest is walked. What was found is looked for in all of what is to be stored, and
that is read again. What cannot be done to the end is an error, and an error stores nothing.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from auditor.redact.document import Secret, Walk, quick_look
from auditor.redact.look import Dull, holds_json, readable, said
from auditor.redact.nested import base64_runs, has_run, open_base64
from auditor.redact.result import Redacted, Redaction
from auditor.redact.run import Allowed, Fingerprint, Means, Run, last
from auditor.redact.splice import splice
from auditor.redact.sweep import left_in, sweep, swept
from auditor.redact.text import Scanner

MAX_TEXT = 64 << 20  # characters of one text that are looked at: more is not stored


class Engine:
    """Detectors, fingerprints and exemptions, put together."""

    def __init__(
        self, scanner: Scanner, fingerprint: Fingerprint, allowed: Allowed | None = None,
        denied: Iterable[re.Pattern[str]] = (), denied_keys: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self._means = Means(scanner, fingerprint, allowed, denied)
        self._denied_keys = denied_keys

    def clean(self, raw: bytes, text: str, value: Any) -> bool:
        """Whether a message plainly holds no secret; a no says nothing."""
        if self._means.denied or self._denied_keys or b"%" in raw:
            return False
        shown = readable(text)
        if shown is None or not quick_look(value) or holds_json(shown):
            return False
        runs = has_run(raw)
        if runs and any(open_base64(shown[a:b]) for a, b in base64_runs(shown)):
            return False
        lines = said(shown.replace('"', "\n"))  # each text stands by itself, as on lines of its own
        return not self._means.scanner.scan(lines, runs=runs)

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
        look = self._means.look(text)
        if not (forced or self._denied_keys):
            run = Run(self._means, known, look)
            done = run.plain(text, value, look)
            if done is not None and not left_in(done, run.values):
                return done, value if done is text else read(done), run.hits, run.secrets
        run = Run(self._means, known, look)
        dull = Dull(self._means.dull, look.starts)
        walk = Walk(run.text, run.mark, forced, self._denied_keys, self._means.allowed, dull)
        new = walk.redact(value)
        done = splice(text, new, last(walk.edits), read) if walk.edits else text
        if left_in(done, run.values):
            new, more = sweep(new, run.values, run.mark)
            if more:
                done = splice(text, new, last(walk.edits + more), read)
        return done, new, run.hits, run.secrets

    def text(self, text: str, where: str, known: Iterable[Secret] = ()) -> tuple[str, list[Redaction], list[Secret]]:
        """Redact a text that is no document."""
        if len(text) > MAX_TEXT:
            raise ValueError("too large to be looked at")
        run = Run(self._means, known)
        new = run.text(text, where, 0, True)
        new = swept(text if new is None else new, where, run.values, run.mark) or new
        return (text if new is None else new), run.hits, run.secrets


def failed(value: Any, why: str) -> Redacted:
    """What is left of a message that could not be redacted: nothing but what names it."""
    kept = {k: value[k] for k in ("jsonrpc", "method", "id") if k in value} if isinstance(value, dict) else None
    return Redacted(b"", kept, [], why)
