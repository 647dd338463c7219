"""Values that were found, looked for in all of a text.

Rules. A secret that was found once is one wherever it stands, but for what is too short or too much of a word to tell.
A document that cannot be read at a look may hold any of them.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from auditor.redact.document import Edit, Secret, Walk
from auditor.redact.look import readable, said

MARKER = re.compile(r"\[REDACTED:[^\]\n]{1,120}\]")
_LEAST = 6  # characters of a value that is looked for everywhere

Mark = Callable[[Secret, str], str]


def left_in(text: str, secrets: Iterable[Secret]) -> bool:
    """Whether a value can stand in a document, plain or spelled for JSON within."""
    shown = readable(text)
    if shown is text:
        return bool([s for s in secrets if s.value in shown and len(s.value) >= _LEAST])
    values = [s.value for s in secrets if len(s.value) >= _LEAST]
    if shown is None:
        return bool(values)
    shown = said(shown)
    return any(v in shown or json.dumps(v)[1:-1] in shown for v in values)


def sweep(value: Any, secrets: Iterable[Secret], mark: Mark) -> tuple[Any, list[Edit]]:
    """Look for values in all of a document: (the document, what changes)."""
    told = _telling(secrets)
    if not told:
        return value, []
    walk = Walk(lambda t, w, _d, _o: _replaced(t, w, told, mark), mark)
    return _sweep(value, "", None, walk), walk.edits


def swept(text: str, where: str, secrets: Iterable[Secret], mark: Mark) -> str | None:
    """A text with every value in it replaced; None when there is none."""
    return _replaced(text, where, _telling(secrets), mark)


def _telling(secrets: Iterable[Secret]) -> list[Secret]:
    seen = {s.value: s for s in secrets if len(s.value) >= _LEAST}
    return [s for s in seen.values() if not s.value.isalpha() or len(s.value) >= 16]


def _replaced(text: str, where: str, secrets: list[Secret], mark: Mark) -> str | None:
    new = text
    for secret in secrets:
        for spelled in dict.fromkeys((json.dumps(secret.value)[1:-1], secret.value)):  # the longer one first
            if spelled in new:
                new = _replace_outside(new, spelled, lambda s=secret: mark(s, where))  # type: ignore[misc]
    return None if new == text else new


def _replace_outside(text: str, value: str, mark: Callable[[], str]) -> str:
    """Replace a value wherever it stands alone (as no part of a longer number or word), markers left alone."""
    pattern = re.compile(
        r"(?<![A-Za-z0-9])" + re.escape(value) + r"(?![A-Za-z0-9])" if value.isalnum() else re.escape(value)
    )
    parts = MARKER.split(text)
    if not any(pattern.search(p) for p in parts):
        return text
    replacement = mark()
    marks = MARKER.findall(text)
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
