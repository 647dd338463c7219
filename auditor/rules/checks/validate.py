"""JSON Schema over values of unknown origin, in bounded time.

Three rules. A schema that cannot be judged safely is not judged (None): nothing is said rather than something wrong.
No regular expression of the traffic is ever run, and no reference leaves the schema. Work is counted; past the bound
it stops.
"""

from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import referencing
import referencing.exceptions
from jsonschema import validators

from auditor.rules.checks.hit import Fault

STEPS = 20_000  # keywords applied to one value: far above real schemas, some tens of milliseconds
MOST = 5  # faults told of one value
MARK = "[REDACTED:"

_UNJUDGED = {"patternProperties", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef"}
_IGNORED = {"pattern", "uniqueItems", "contentMediaType", "contentEncoding", "contentSchema"}
_NEGATING = {"oneOf", "not", "if"}
_FORMATS = jsonschema.FormatChecker(formats=["date", "email"])

_steps: ContextVar[list[int]] = ContextVar("steps")


class _TooMuchError(Exception):
    pass


def faults(schema: Any, value: Any) -> list[Fault] | None:
    """How `value` breaks `schema`, at most `MOST` faults; None when that cannot be said."""
    if not isinstance(schema, dict):
        return None
    try:
        validator = _validator(msgspec.json.encode(schema))
        if validator is None:
            return None
        _steps.set([STEPS])
        found: list[Fault] = []
        for error in validator.iter_errors(value):
            if not _veiled(error):
                found.append(_fault(error))
            if len(found) == MOST:
                break
    except (
        _TooMuchError,
        RecursionError,
        jsonschema.SchemaError,
        jsonschema.exceptions.UnknownType,
        referencing.exceptions.Unresolvable,
        # what a schema of odd types or numbers makes of the keywords' arithmetic
        TypeError,
        ValueError,
        ArithmeticError,
        AttributeError,
        KeyError,
    ):
        return None
    return found


def _judgeable(schema: dict[str, Any]) -> bool:
    """Whether leaving the ignored keywords out makes the verdict at most milder."""
    words: set[str] = set()
    pile: list[Any] = [schema]
    while pile:
        node = pile.pop()
        if isinstance(node, dict):
            words.update(node)
            pile.extend(node.values())
        elif isinstance(node, list):
            pile.extend(node)
    return not words & _UNJUDGED and not (words & _IGNORED and words & _NEGATING)


@lru_cache(maxsize=256)  # the same few forms are asked again and again, and a check of a schema takes a millisecond
def _validator(text: bytes) -> Any:
    """A validator for the schema in a JSON text, None when it is not judged; raises as `jsonschema` does."""
    schema = msgspec.json.decode(text)
    if not _judgeable(schema):
        return None
    base = validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    base.check_schema(schema)
    return _bounded(base)(schema, format_checker=_FORMATS, registry=referencing.Registry())


@cache
def _bounded(base: Any) -> Any:
    """The validator class of a draft with its work counted and the ignored keywords gone."""

    def counted(keyword: Any) -> Any:
        def apply(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
            left = _steps.get()
            left[0] -= 1
            if left[0] < 0:
                raise _TooMuchError
            yield from keyword(validator, value, instance, schema) or ()

        return apply

    table = {name: counted(keyword) for name, keyword in base.VALIDATORS.items() if name not in _IGNORED}
    return validators.create(meta_schema=base.META_SCHEMA, validators=table, type_checker=base.TYPE_CHECKER)


def _veiled(error: Any) -> bool:
    """The fault may be the redaction's: a secret was taken out of what it is about."""
    if error.validator == "required":
        return any(MARK in str(key) for key in error.instance)
    try:
        return MARK in msgspec.json.encode(error.instance).decode()
    except (TypeError, ValueError, UnicodeError):
        return True


def _fault(error: Any) -> Fault:
    path = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in error.absolute_path)
    keyword = str(error.validator)
    if keyword == "required":
        missing = [name for name in error.validator_value if isinstance(name, str) and name not in error.instance]
        return Fault(path, keyword, f"lacks {', '.join(missing[:3])}")
    wanted = error.validator_value
    if isinstance(wanted, (str, int, float)):
        return Fault(path, keyword, f"breaks {keyword} {str(wanted)[:60]}")
    return Fault(path, keyword, f"breaks {keyword}")
