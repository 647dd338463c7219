"""What a finder gives: where a secret stands in a text."""

from collections.abc import Callable
from typing import NamedTuple


class Span(NamedTuple):
    """A secret in a text: where, what kind, and whether it could be guessed (then it has no fingerprint)."""

    start: int
    end: int
    kind: str
    guessable: bool = False


Finder = Callable[[str, int, int], "list[Span] | None"]
"""Given a text and where a word or prefix stands in it: the secrets that begin there, None for none."""
