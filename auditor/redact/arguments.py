"""Passwords among the arguments of a command: behind `-p` and its kin, where the command takes one there."""

from typing import Any

from auditor.redact.lists import names

_COMMANDS: dict[str, dict[str, str]] = names()["commands"]
_MOST = 64  # arguments of one command that are looked at
_TAKING = frozenset(flag for flags in _COMMANDS.values() for flag in flags)


def arguments(items: list[Any]) -> dict[int, int]:
    """Which arguments are passwords, and from which character on: `["mysql", "-psecret"]` gives `{1: 2}`."""
    if not 2 <= len(items) <= _MOST or type(items[0]) is not str:
        return {}
    flags: dict[str, str] = {}
    found: dict[int, int] = {}
    waiting: str | None = None
    for i, item in enumerate(items):
        if type(item) is not str:
            return {}
        if waiting is not None:
            start = _start(item, waiting)
            waiting = None
            if start is not None:
                found[i] = start
                continue
        if not item.startswith("-"):
            flags = {**flags, **_COMMANDS.get(item.rpartition("/")[2], {})}
        elif item in flags:
            waiting = flags[item]
            if waiting == "glued":
                waiting = None
        elif len(item) > 5 and flags.get(item[:2]) in ("glued", "both"):
            found[i] = 2
    return found


def _start(item: str, how: str) -> int | None:
    """Where the password of an argument begins: all of it, or behind the name of its user."""
    if how != "user":
        return 0 if len(item) >= 3 else None
    at = item.find(":")
    return at + 1 if 0 < at < len(item) - 2 and not item.startswith("//", at + 1) else None
