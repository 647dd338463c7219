"""`auditor rules`: what is checked, why, and how to mend it."""

from typing import Any

import msgspec

from auditor.cli.filters import words
from auditor.cli.render import Format, cell, emit, print_csv, print_json, table
from auditor.errors import InputError, UsageError
from auditor.rules import parameters
from auditor.rules.model import Rule
from auditor.rules.registry import all_rules

_KEYS = (
    "id", "title", "severity", "confidence", "party", "revisions", "why", "fix", "source", "frameworks", "scope",
    "parameters",
)  # fmt: skip


def print_rules(name: str | None, form: Format) -> None:
    """Print all rules, or one in full.

    Raises:
        InputError: when there is no such rule.
    """
    found = all_rules()
    if name is not None:
        found = [r for r in found if r.id == name.upper()]
        if not found:
            raise InputError(f"there is no rule `{name}`; `auditor rules` lists them")
    if form is Format.json:
        print_json(_shape(r) for r in found)
    elif form is Format.csv:
        print_csv(_KEYS, (_shape(r) for r in found))
    elif name is not None:
        emit(_in_full(found[0]))
    else:
        table(
            ("rule", "severity", "confidence", "party", "what"),
            [(r.id, r.severity, r.confidence, r.party, r.title) for r in found],
        )


def known_rules(text: str | None) -> str | None:
    """Ids of rules with commas between them, as the record has them.

    Raises:
        UsageError: for one that no rule has.
    """
    if text is None:
        return None
    ids = {r.id for r in all_rules()}
    for word in words(text.upper()) or []:
        if word not in ids:
            raise UsageError(f"there is no rule `{word}`; `auditor rules` lists them")
    return text.upper()


def _shape(r: Rule) -> dict[str, Any]:
    shape = {key: msgspec.to_builtins(getattr(r, key)) for key in _KEYS if key != "parameters"}
    given = parameters.values(r)
    said = [{"key": parameters.key(r, p), "value": given[p.name], "description": p.description} for p in r.params]
    return {**shape, "parameters": said}


def _in_full(r: Rule) -> str:
    lines = [
        f"{r.id}  {r.title}",
        f"severity {r.severity}, confidence {r.confidence}, to be mended by: {r.party}",
        f"holds in: {', '.join(r.revisions)}",
        "",
        f"Why: {r.why}",
        f"Fix: {r.fix}",
        f"Source: {r.source}",
        f"Frameworks: {', '.join(r.frameworks)}",
    ]
    given = parameters.values(r)
    lines += [f"Set {parameters.key(r, p)} = {given[p.name]}: {p.description}" for p in r.params]
    return "\n".join(cell(line) if line else "" for line in lines)
