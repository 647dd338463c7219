"""`auditor record`: what follows the word, understood without a framework, so that the first answer comes soon.

Until the server runs, nothing is loaded that it does not need: every millisecond here delays the first answer.
"""

from __future__ import annotations

from auditor.errors import UsageError

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    import argparse

    from auditor.tap.child import Child

USAGE = "auditor record [--db P] [--name N] [--lossless|--strict] -- CMD ARGS…, or … --upstream URL --listen HOST:PORT"
_MEGABYTE = 1 << 20


def record_main(argv: list[str]) -> int:
    """Record one session; `argv` is what follows `record`. Gives the exit code.

    Raises:
        UsageError: when the options cannot be followed; nothing was started then.
    """
    own, command = _split(argv)
    if any(word.split("=")[0] == "--upstream" for word in own):
        from auditor.tap.http.command import http_main

        return http_main(argv)
    options = Options.usual(own) if command else None
    if options is None:
        options = Options.full(own, command)
    _check_policy()
    from auditor.tap.child import hold_standard_descriptors, start

    hold_standard_descriptors()
    child: Child | OSError
    try:
        child = start(command)
    except OSError as e:
        child = e
    from auditor.tap.session import run

    return run(command, child, options)


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

    @classmethod
    def full(cls, own: list[str], command: list[str]) -> Options:
        """Read any options; ends with the help when that is asked for.

        Raises:
            UsageError: when they cannot be followed.
        """
        from auditor.tap.options import parser

        given: argparse.Namespace = parser().parse_args(own)
        if given.command and not command:
            raise UsageError(f"put -- before the server's command: auditor record -- {' '.join(given.command)}")
        if not command:
            raise UsageError(f"there is no command to record; use: {USAGE}")
        options = cls()
        options.db = str(given.db) if given.db else None
        options.name, options.lossless, options.strict = given.name, given.lossless, given.strict
        options.cap_bytes = given.spool_cap
        return options


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


def _check_policy() -> None:
    from auditor.files import policy_file

    if policy_file() is not None:
        from auditor.tap.launch import check_policy

        check_policy()


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    if "--" in argv:
        at = argv.index("--")
        return argv[:at], argv[at + 1 :]
    return argv, []
