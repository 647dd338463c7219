"""What a rule is, and how its file is read.

A rule is one file, `queries/rules/<ID>.sql`: a header that says why, and a SELECT. Where SQL cannot say it, the
header names a `check`, a function of `auditor.rules.checks` that judges each row of the SELECT.
"""

from typing import Literal, get_args

import msgspec

from auditor.queries import Param, SqlFile

Severity = Literal["violation", "warning", "policy", "info"]
Confidence = Literal["high", "medium", "low"]
Party = Literal["client", "server", "either"]

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
EXTENSION = "ext-tasks"
OVERRIDES = ("severity", "confidence", "party")
_REQUIRED = ("id", "title", "severity", "confidence", "party", "revisions", "why", "fix", "source", "frameworks")


class Rule(msgspec.Struct, frozen=True):
    """One rule. `revisions` are those of the protocol in which it holds. `overrides` are the columns by which the
    SELECT itself says severity, confidence or party. `check` names the Python function that judges its rows, None
    when the rows are the findings. `needs` are methods, or tables after a `#`: where none of them occurs the rule has
    nothing to say, and is not run; nor is it where no row in scope bears one of the signs in `when` (a table, and a
    condition on its rows). `scope` is `capture`, or `store` for a rule that compares captures."""

    id: str
    title: str
    severity: Severity
    confidence: Confidence
    party: Party
    revisions: tuple[str, ...]
    why: str
    fix: str
    source: str
    frameworks: tuple[str, ...]
    scope: Literal["capture", "store"]
    overrides: tuple[str, ...]
    needs: tuple[str, ...]
    when: tuple[tuple[str, str], ...]
    check: str | None
    params: tuple[Param, ...]
    sql: str

    def protocols(self) -> tuple[str, ...]:
        """The negotiated revisions in which it holds (the tasks extension travels in 2026-07-28)."""
        return tuple(dict.fromkeys("2026-07-28" if r == EXTENSION else r for r in self.revisions))


def from_sql(file: SqlFile) -> Rule:
    """Read a rule's file.

    Raises:
        ValueError: when its header lacks a key, or says what is not known.
    """
    head = file.header
    missing = [key for key in _REQUIRED if not head.get(key)]
    if missing:
        raise ValueError(f"{file.stem}.sql: its header lacks {', '.join(missing)}")
    if head["id"] != file.stem:
        raise ValueError(f"{file.stem}.sql: its header says id {head['id']}")
    revisions = REVISIONS if head["revisions"] == "all" else split(head["revisions"])
    unknown = set(revisions) - {*REVISIONS, EXTENSION}
    if unknown:
        raise ValueError(f"{file.stem}.sql: no revision is called {sorted(unknown)[0]}")
    for key, allowed in (("severity", Severity), ("confidence", Confidence), ("party", Party)):
        if head[key] not in get_args(allowed):
            raise ValueError(f"{file.stem}.sql: {key} must be one of {', '.join(get_args(allowed))}")
    overrides = split(head.get("overrides", ""))
    if set(overrides) - set(OVERRIDES):
        raise ValueError(f"{file.stem}.sql: only {', '.join(OVERRIDES)} can be overridden")
    return msgspec.convert(
        {
            **{key: head[key] for key in _REQUIRED},
            "revisions": revisions,
            "frameworks": split(head["frameworks"]),
            "scope": head.get("scope", "capture"),
            "overrides": overrides,
            "needs": split(head.get("needs", "")),
            "when": tuple(_sign(file.stem, part) for part in head.get("when", "").split(";") if part.strip()),
            "check": head.get("check"),
            "params": tuple(file.params),
            "sql": file.sql.rstrip().rstrip(";"),
        },
        Rule,
    )


def _sign(stem: str, text: str) -> tuple[str, str]:
    table, colon, condition = text.partition(":")
    if not colon:
        raise ValueError(f"{stem}.sql: the sign `{text.strip()}` is not of the form TABLE: CONDITION")
    return table.strip(), condition.strip()


def split(text: str) -> tuple[str, ...]:
    """The words of a list with commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())
