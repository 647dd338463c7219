"""A cheap yes for what almost always fits: most schemas say types and names and no more.

It says yes only where the validator finds no fault; anything else is left to that, which takes long to load.
"""

from typing import Any

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float), "object": (dict,),
    "array": (list,),
}  # fmt: skip
_SILENT = frozenset({"type", "title", "description", "default", "examples", "enumNames", "$schema"})  # forbid nothing
_ALLOWED = {
    "string": _SILENT | {"enum"}, "object": _SILENT | {"properties", "required", "additionalProperties"},
    "array": _SILENT | {"items"},
}  # fmt: skip
_DEEP = 20


def fits(schema: Any, value: Any, depth: int = 0) -> bool:
    """Whether `value` fits `schema` beyond doubt."""
    if not isinstance(schema, dict) or depth > _DEEP:
        return False
    kind = schema.get("type")
    if not isinstance(kind, str) or type(value) not in _KINDS.get(kind, ()):
        return False
    if any(key not in _ALLOWED.get(kind, _SILENT) for key in schema if not key.startswith("x-")):
        return False
    if kind == "object":
        return _object(schema, value, depth)
    if kind == "array":
        return "items" not in schema or all(fits(schema["items"], item, depth + 1) for item in value)
    options = schema.get("enum", [value])
    return isinstance(options, list) and value in options


def _object(schema: dict[str, Any], value: dict[str, Any], depth: int) -> bool:
    fields, required, more = (
        schema.get("properties", {}),
        schema.get("required", []),
        schema.get("additionalProperties"),
    )
    if not isinstance(fields, dict) or not isinstance(required, list) or not (more is None or isinstance(more, bool)):
        return False
    if not all(isinstance(name, str) and name in value for name in required):
        return False
    if more is False and not value.keys() <= fields.keys():
        return False
    return all(name not in fields or fits(fields[name], item, depth + 1) for name, item in value.items())
