"""The fields of every form, and which of them ask for what must not go through a form."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import duckdb

from auditor.analysis.rows import encode, fetch, put
from auditor.redact.fields import sensitive_kind
from auditor.wire.jsontext import Parsed, parse

_COLUMNS = {
    "session_id": "VARCHAR", "seq": "BIGINT", "item": "INTEGER", "ordinal": "INTEGER", "name": "VARCHAR",
    "type": "VARCHAR", "format": "VARCHAR", "title": "VARCHAR", "description": "VARCHAR", "required": "BOOLEAN",
    "has_default": "BOOLEAN", "options": "VARCHAR[]", "answered": "BOOLEAN", "sensitive": "VARCHAR",
}  # fmt: skip
_FORMS = """
SELECT session_id, seq, item, message, schema::VARCHAR, content::VARCHAR
FROM elicitations WHERE kind = 'elicitation' AND schema IS NOT NULL
"""
_MOST = 500  # fields of one form that are looked at; a person could not fill in more

_classify = lru_cache(maxsize=20_000)(sensitive_kind)


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """Make `m_fields`: one row a field."""
    put(con, "m_fields", _COLUMNS, _rows(con))


def _rows(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    for session, seq, item, message, schema, content in fetch(con, _FORMS):
        form, answer = _object(schema), _object(content)
        properties = form.get("properties")
        alone = isinstance(properties, dict) and len(properties) == 1  # else it may speak of another field
        speaks = alone and message is not None and sensitive_kind("", None, None, message, None) is not None
        required = form.get("required")
        needed = {r for r in required if isinstance(r, str)} if isinstance(required, list) else set()
        for ordinal, (name, field) in enumerate((properties if isinstance(properties, dict) else {}).items()):
            if ordinal == _MOST:
                break
            field = field if isinstance(field, dict) else {}
            title, description, kind = (_text(field.get(k)) for k in ("title", "description", "format"))
            yield (
                session, seq, item, ordinal, name, _type(field.get("type")), kind, title, description, name in needed,
                "default" in field, _options(field), name in answer,
                _classify(name, title, description, message if speaks else None, kind),
            )  # fmt: skip


def _object(text: str | None) -> dict[str, Any]:
    parsed = parse(text.encode("utf-8", "surrogatepass")) if text else None
    return parsed.value if isinstance(parsed, Parsed) and isinstance(parsed.value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _type(value: Any) -> str | None:
    return value if isinstance(value, str) else None if value is None else encode(value)


def _options(field: dict[str, Any]) -> list[str] | None:
    items = field.get("items")
    for holder in (field, items if isinstance(items, dict) else {}):
        values = holder.get("enum")
        if not isinstance(values, list):
            named = holder.get("oneOf") or holder.get("anyOf")
            values = [v.get("const") for v in named if isinstance(v, dict)] if isinstance(named, list) else None
        if values:
            return [v if isinstance(v, str) else encode(v) for v in values[:_MOST]]
    return None
