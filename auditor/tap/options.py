"""What `auditor record` was asked for.

Options that leave no doubt are read here; for any others, and for help, there is `parser`, which costs more to load.
"""

from __future__ import annotations

USAGE = "auditor record [--db P] [--name N] [--lossless|--strict] -- CMD ARGS…, or … --upstream URL --listen HOST:PORT"
_MEGABYTE = 1 << 20


class Options:
    """What was asked for. `db` is None for the usual place."""

    def __init__(self) -> None:
        self.db: str | None = None
        self.name: str | None = None
        self.lossless = self.strict = False
        self.cap_bytes = 256 * _MEGABYTE

    @classmethod
    def usual(cls, words: list[str]) -> Options | None:
        """Read options that leave no doubt; None when a parser must say what is wrong, or help."""
        options, rest = cls(), iter(words)
        for word in rest:
            key, equals, value = word.partition("=")
            if word in ("--lossless", "--strict"):
                options.lossless, options.strict = options.lossless or word == "--lossless", word == "--strict"
            elif key in ("--db", "--name", "--spool-cap"):
                value = value if equals else next(rest, "")
                if not options._set(key, value):
                    return None
            else:
                return None
        return None if options.lossless and "--strict" in words else options

    def _set(self, key: str, value: str) -> bool:
        if not value or value.startswith("-"):
            return False
        if key == "--db":
            self.db = value
        elif key == "--name":
            self.name = value
        else:
            try:
                self.cap_bytes = megabytes(value)
            except ValueError:
                return False
        return True


def megabytes(text: str) -> int:
    """A number of megabytes as bytes.

    Raises:
        ValueError: when it is none, or beyond reason.
    """
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number of megabytes") from None
    if not 1 <= number <= 1 << 20:
        raise ValueError(f"{text} MB is not between 1 and 1048576")
    return int(number * _MEGABYTE)
