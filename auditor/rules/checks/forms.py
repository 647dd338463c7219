"""The schemas of forms: whether they are flat, portable and consistent."""

from collections.abc import Iterable, Mapping
from typing import Any

from auditor.rules.checks.hit import Hit, about, cut, decode, judged, subject

_SIMPLE = {"string", "number", "integer", "boolean"}
_COMBINED = ("$ref", "$dynamicRef", "anyOf", "allOf", "not", "if")
_FIRST = "2025-06-18"  # the revision in which forms were simpler than later
_SHOWN = 10  # faults of a form that a finding lists


def flat(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-006: fields that are no string, number, boolean or choice."""
    schema = decode(row["schema"])
    if not isinstance(schema, dict):
        return
    if schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
        found = {"": "it is no object with properties"}
    else:
        first = row["revision"] == _FIRST
        found = {
            name: why for name, field in schema["properties"].items() if (why := _not_simple(field, first)) is not None
        }
    if found:
        yield _hit(row, "is not flat", found)


def _not_simple(field: Any, first: bool) -> str | None:
    """Why a client cannot draw this field; None when it can. Choices of later revisions are left to ELI-007."""
    if not isinstance(field, dict):
        return "it is no schema"
    for word in _COMBINED:
        if word in field:
            return f"it uses {word}"
    if "oneOf" in field and not _titled(field["oneOf"]):
        return "it uses oneOf for other than choices"
    kind = field.get("type")
    if kind in _SIMPLE if isinstance(kind, str) else False:
        return None
    if kind == "array":
        return None if _has_choices(field) else "it is a list without choices"
    if kind is None:
        return "it has no type"
    if kind == "object":
        return "it is an object"
    return "it has several types" if isinstance(kind, list) else f"it has the type {cut(kind, 40)}"


def _titled(options: Any) -> bool:
    return isinstance(options, list) and all(isinstance(o, dict) and "const" in o for o in options)


def _has_choices(field: dict[str, Any]) -> bool:
    items = field.get("items")
    if not isinstance(items, dict):
        return False
    return isinstance(items.get("enum"), list) or _titled(items.get("anyOf")) or _titled(items.get("oneOf"))


def choices(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-007: multiple or titled choices, which came with 2025-11-25."""
    found = {}
    for name, field in _fields(row):
        if field.get("type") == "array" and _has_choices(field):
            found[name] = "it takes several choices"
        elif "oneOf" in field and _titled(field["oneOf"]):
            found[name] = "it has titled choices"
    if found:
        yield _hit(row, "has choices that this revision does not know", found)


def portable(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-009: what some clients understand and others ignore."""
    first = row["revision"] == _FIRST
    found = {}
    for name, field in _fields(row):
        if "pattern" in field:
            found[name] = "it has a pattern"
        elif first and "default" in field and field.get("type") != "boolean":
            found[name] = "it has a default and is no boolean"
        elif not first and "enumNames" in field:
            found[name] = "it has enumNames"
    if found:
        yield _hit(row, "uses what only some clients understand", found)


def consistent(row: Mapping[str, Any]) -> Iterable[Hit]:
    """ELI-010: required fields that do not exist, defaults that their own field refuses."""
    schema = decode(row["schema"])
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return
    found = {}
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str) and name not in schema["properties"]:
            found[name] = "it is required and does not exist"
    for name, field in _fields(row):
        if "default" in field:
            broken = judged({k: v for k, v in field.items() if k != "default"}, field["default"])
            if broken:
                found[name] = f"its default {broken[0].text}"
    if found:
        yield _hit(row, "contradicts itself", found)


def _fields(row: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    schema = decode(row["schema"])
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return []
    return [(name, field) for name, field in properties.items() if isinstance(field, dict)]


def _hit(row: Mapping[str, Any], what: str, found: Mapping[str, str]) -> Hit:
    name, why = next(iter(found.items()))
    tool = f" of {row['parent_tool']}" if row.get("parent_tool") else ""
    first = f"in the field {cut(name, 60)} {why}" if name else why
    more = f" ({len(found)} fields)" if len(found) > 1 else ""
    listed = {cut(k): v for k, v in list(found.items())[:_SHOWN]}
    return Hit(subject(row), f"The form{tool} {what}: {first}{more}.", {**about(row), "fields": listed})
