"""The policy file, `auditor.toml`: what else is a secret here, what is none, and how much of the content is kept.

Rules. It is searched from the working folder upward, then in the user's configuration folder. Deny beats allow. A file
that is not understood is refused with the line that is wrong; nothing is recorded under half a policy.
"""

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from auditor.errors import UsageError
from auditor.redact.shapes import shape

Content = Literal["full", "answers-hidden", "metadata"]


class Detector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of secret of one's own: shapes as in `detectors/tokens.toml`."""

    kind: str
    shapes: list[str]


class Allow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is no secret: an exact value, values that match a pattern as a whole, or a kind."""

    value: str | None = None
    pattern: str | None = None
    kind: str | None = None


class Deny(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is always a secret: a pattern anywhere in a text, or any value under a key of this name."""

    pattern: str | None = None
    key: str | None = None


class Scope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds for one server, or for one tool of it."""

    content: Content | None = None
    allow: list[Allow] = []
    deny: list[Deny] = []


class Server(Scope, frozen=True, forbid_unknown_fields=True):
    """A server, by its name, and its tools."""

    tool: dict[str, Scope] = {}


class Policy(Scope, frozen=True, forbid_unknown_fields=True):
    """All of the file; the tables are `[redaction]` and below it."""

    detector: list[Detector] = []
    server: dict[str, Server] = {}


class _File(msgspec.Struct, forbid_unknown_fields=True):
    redaction: Policy = Policy()


class Effective(msgspec.Struct, frozen=True):
    """What holds for a message, after server and tool were looked at."""

    content: Content
    allow: tuple[Allow, ...]
    deny: tuple[Deny, ...]


def load(path: Path | None) -> tuple[Policy, str]:
    """Read a policy; gives it with its hash (16 hex digits; that of no policy when there is no file).

    Raises:
        UsageError: when it cannot be read or is not understood, with the line that is wrong.
    """
    if path is None:
        return Policy(), hashlib.sha256(b"").hexdigest()[:16]
    try:
        data = path.read_bytes()
        parsed = tomllib.loads(data.decode())
    except OSError as e:
        raise UsageError(f"the policy {path} cannot be read: {e.strerror}") from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise UsageError(f"the policy {path} is no TOML: {e}") from e
    try:
        policy = msgspec.convert(parsed, _File).redaction
    except msgspec.ValidationError as e:
        raise UsageError(f"the policy {path}, line {_line(data.decode(), str(e))}: {e}") from e
    _check(policy, path, data.decode())
    return policy, hashlib.sha256(data).hexdigest()[:16]


def _line(text: str, message: str) -> int:
    """The line that a message speaks of, as well as can be told: where the last name in it stands."""
    names = sorted(re.findall(r"`([^`]*)`", message), key=lambda name: name.startswith("$"))
    wanted = [n for name in names for n in reversed(re.findall(r"[\w-]+", name)) if not n.isdigit()]
    lines = text.splitlines()
    for name in wanted:
        for number, line in enumerate(lines, 1):
            if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line) and not line.lstrip().startswith("#"):
                return number
    return 1


def _check(policy: Policy, path: Path, text: str) -> None:
    for detector in policy.detector:
        for one in detector.shapes:
            try:
                shape(one)
            except (ValueError, re.error) as e:
                raise UsageError(f"the policy {path}, line {_where(text, one)}: {e}") from e
    scopes: list[Scope] = [policy, *policy.server.values()]
    scopes += [tool for server in policy.server.values() for tool in server.tool.values()]
    for scope in scopes:
        for pattern in (r.pattern for rules in (scope.allow, scope.deny) for r in rules if r.pattern is not None):
            try:
                re.compile(pattern)
            except re.error as e:
                line = _where(text, pattern)
                raise UsageError(f"the policy {path}, line {line}: the pattern {pattern!r} is none: {e}") from e


def _where(text: str, value: str) -> int:
    needle = value.split("\\")[0] or value
    return next((n for n, line in enumerate(text.splitlines(), 1) if needle in line), 1)


def effective(policy: Policy, server: str | None, tool: str | None) -> Effective:
    """What holds for a server and a tool: the nearest content level, and every list."""
    scopes: list[Scope] = [policy]
    named = policy.server.get(server) if server else None
    if named is not None:
        scopes.append(named)
        if tool and tool in named.tool:
            scopes.append(named.tool[tool])
    content: Content = next((s.content for s in reversed(scopes) if s.content is not None), "full")
    return Effective(content, tuple(a for s in scopes for a in s.allow), tuple(d for s in scopes for d in s.deny))


def allows(rules: tuple[Allow, ...], kind: str, value: str) -> bool:
    """Whether an allow rule exempts a value."""
    return any(
        (a.value is not None and a.value == value)
        or (a.pattern is not None and re.fullmatch(a.pattern, value) is not None)
        or (a.value is None and a.pattern is None and a.kind == kind)
        for a in rules
    )
