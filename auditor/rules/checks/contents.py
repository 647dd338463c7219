"""What was answered, held against what was asked for."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from auditor.rules.checks.hit import Fault, Hit, about, cut, decode, judged, subject


def content_fits(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-011: the content of an accepted form against its schema."""
    schema, content = _decoded(row["schema"]), decode(row["content"])
    broken = judged(schema, content)
    if broken:
        tool = f" of {row['parent_tool']}" if row["parent_tool"] else ""
        yield Hit(
            subject(row),
            f"The accepted form{tool} does not fit its schema: {_told(broken[0])}.",
            {**about(row), "prompt_seq": row["prompt_seq"], "faults": _listed(broken)},
        )


_decoded = lru_cache(maxsize=256)(decode)


def content_flat(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-016: values that are no text, number, yes or no (or list of texts, since 2025-11-25)."""
    content = decode(row["content"])
    if content is None:
        return
    if not isinstance(content, dict):
        yield Hit(subject(row), "The content of an accepted form is no object.", about(row))
        return
    lists = row["revision"] != "2025-06-18"
    bad = [name for name, value in content.items() if not _flat(value, lists)]
    if bad:
        yield Hit(
            cut(bad[0]),
            f"The field {cut(bad[0], 60)} of an accepted form holds what no form can hold.",
            {**about(row), "prompt_seq": row["prompt_seq"], "fields": [cut(name) for name in bad[:10]]},
        )


def _flat(value: Any, lists: bool) -> bool:
    if isinstance(value, list):
        return lists and all(isinstance(item, str) for item in value)
    return isinstance(value, (str, int, float, bool))


def output_fits(row: Mapping[str, Any]) -> Iterable[Hit]:
    """TOO-003: a tool's structured result against its output schema."""
    schema, content = decode(row["schema"]), decode(row["content"])
    if row["content"] is None:
        yield Hit(
            row["tool"], f"{row['tool']} has an output schema, and its result has no structuredContent.", about(row)
        )
        return
    broken = judged(schema, content) if content is not None else None
    if broken:
        yield Hit(
            row["tool"],
            f"The structured result of {row['tool']} does not fit its output schema: {_told(broken[0])}.",
            {**about(row), "faults": _listed(broken)},
        )


def _told(fault: Fault) -> str:
    return f"{cut(fault.path, 60)} {fault.text}" if fault.path else f"it {fault.text}"


def _listed(found: Sequence[Fault]) -> list[dict[str, str]]:
    return [{"path": cut(f.path), "keyword": f.keyword, "fault": f.text} for f in found]
