"""The checks in Python: right on values, and bounded on what was made to hurt."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.rules.checks import CHECKS, urls
from auditor.rules.checks.plain import fits
from auditor.rules.checks.validate import faults

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
WORDS = st.sampled_from(
    [
        "type", "properties", "required", "items", "enum", "const", "oneOf", "anyOf", "allOf", "not", "$ref", "default",
        "minimum", "maxLength", "pattern", "format", "if", "then",
    ]
)  # fmt: skip
PARTS = st.sampled_from(["string", "object", "#", "#/properties"])
SCHEMA = st.recursive(JSON, lambda inner: st.dictionaries(WORDS, inner | PARTS, max_size=4), max_leaves=12)


def keywords(schema: Any, value: Any) -> list[str] | None:
    found = faults(schema, value)
    return None if found is None else [f"{f.path} {f.keyword}" for f in found]


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        ({"type": "integer"}, 3, []),
        ({"type": "integer"}, "3", [" type"]),
        ({"properties": {"a": {"type": "string"}}}, {"a": 1}, ["/a type"]),
        ({"required": ["a", "b"]}, {"a": 1}, [" required"]),
        ({"enum": ["a", "b"]}, "c", [" enum"]),
        ({"format": "date"}, "tomorrow", [" format"]),
        ({"format": "date"}, "2026-02-28", []),
        ({"properties": {"a": {"maxLength": 3}}}, {"a": "[REDACTED:key:fp=12]"}, []),
        ({"pattern": "^(a+)+$"}, "b", []),
        ({"not": {"pattern": "a"}}, "b", None),
        ({"patternProperties": {"(a+)+$": {}}}, {}, None),
        ({"$ref": "https://example.com/schema"}, 1, None),
        ({"$ref": "#"}, 1, None),
        ({"type": "no-such-type"}, 1, None),
        (True, 1, None),
    ],
)
def test_faults(schema: Any, value: Any, said: list[str] | None) -> None:
    assert keywords(schema, value) == said


PLAIN = st.recursive(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])}
    )
    | st.just({"type": "string", "enum": ["a", "b"], "title": "x"}),
    lambda inner: (
        st.fixed_dictionaries({"type": st.just("array"), "items": inner})
        | st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3)},
            optional={
                "required": st.lists(st.sampled_from("abc"), max_size=2),
                "additionalProperties": st.booleans() | st.just({"type": "string"}),
                "x-any": JSON,
            },
        )
    ),
    max_leaves=6,
)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from("abz"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=6,
)


@given(PLAIN | SCHEMA, VALUE)
def test_a_cheap_yes_is_what_the_validator_says_too(schema: Any, value: Any) -> None:
    if fits(schema, value):
        assert not faults(schema, value)


def test_forms_as_they_mostly_are_get_a_cheap_yes() -> None:
    form = {
        "type": "object", "required": ["to"], "additionalProperties": False, "title": "Send",
        "properties": {"to": {"type": "string", "enum": ["a", "b"]}, "n": {"type": "number"}, "c": {"type": "boolean"}},
    }  # fmt: skip
    assert fits(form, {"to": "a", "n": 1.5, "c": True})
    assert not fits(form, {"to": "c"})
    assert not fits(form, {"n": 1})
    assert not fits(form, {"to": "a", "more": 1})


def laughs() -> dict[str, Any]:
    """Each definition refers to the next one twice: 2^40 steps when followed."""
    steps = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(40)}
    return {"$defs": {**steps, "d40": {"type": "object"}}, "$ref": "#/$defs/d0"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (laughs(), {}),
        ({"properties": {"a": {"pattern": "(a+)+$"}}}, {"a": "a" * 5000 + "b"}),
        ({"items": {"anyOf": [{"const": n} for n in range(300)]}}, list(range(5000))),
        ({"uniqueItems": True}, [[n] for n in range(5000)]),
        (json.loads('{"items":' * 400 + "{}" + "}" * 400), json.loads("[" * 400 + "]" * 400)),
    ],
    ids=["laughs", "pattern", "choices", "unique", "deep"],
)
def test_time_is_bounded(schema: Any, value: Any) -> None:
    begun = time.thread_time()
    faults(schema, value)
    assert time.thread_time() - begun < 5


@settings(max_examples=300, deadline=None)
@given(SCHEMA, JSON)
def test_no_schema_raises(schema: Any, value: Any) -> None:
    faults(schema, value)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(CHECKS)), SCHEMA, JSON, st.text())
def test_no_check_raises(name: str, schema: Any, value: Any, url: str) -> None:
    row = {
        "wire_id": "1", "revision": "2025-11-25", "parent_tool": None, "carriage": "request", "prompt_seq": 1,
        "tool": "t", "schema": json.dumps(schema), "content": json.dumps(value), "url": url, "seqs": [1], "told": None,
        "params": json.dumps({"url": url, "elicitationId": value}),
        "lists": [json.dumps({"result": {"tools": value}})],
    }  # fmt: skip
    list(CHECKS[name](row))


@pytest.mark.parametrize(
    ("url", "fires"),
    [
        ("https://example.com/", False),
        ("https://xn--mnchen-3ya.example/", True),
        ("https://exаmple.com/", True),
        ("https://例え.jp/", False),
        ("https://пример.рф/", False),
        ("https://192.0.2.7/", True),
        ("https://[2001:db8::7]/", True),
        ("http://[::1]:80/", False),
        ("https://2130706433/", True),
        ("https://user:[REDACTED:password]@example.com/", False),
        ("https://[not-an-address", False),
        ("https://xn--/", True),
    ],
)
def test_hosts(url: str, fires: bool) -> None:
    assert bool(list(urls.host({"url": url, "parent_tool": None, "wire_id": "1"}))) is fires


@pytest.mark.parametrize(
    ("url", "fires"),
    [
        ("https://example.com/login?next=/token", False),
        ("https://ada:secret@example.com/", True),
        ("https://example.com/#access_token=x", True),
        ("https://example.com/?X-Amz-Signature=ab", True),
        ("https://example.com/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", True),
        ("https://example.com/[REDACTED:jwt:fp=0011]", True),
        ("https://example.com/?state=abc&client_id=1", False),
    ],
)
def test_signed_in(url: str, fires: bool) -> None:
    assert bool(list(urls.signed_in({"url": url, "parent_tool": None, "wire_id": "1"}))) is fires
