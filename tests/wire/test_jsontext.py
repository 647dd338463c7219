"""Reading JSON strictly, then leniently, and never raising."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.wire.jsontext import Malformed, Parsed, has_duplicate_keys, parse

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_value_or_a_reason(data: bytes) -> None:
    assert isinstance(parse(data), Parsed | Malformed)


@given(_JSON, st.booleans())
def test_what_is_json_is_read_as_it_is(value: object, spaced: bool) -> None:
    text = json.dumps(value, indent=2 if spaced else None).encode()
    parsed = parse(text)
    assert isinstance(parsed, Parsed)
    assert parsed.value == value
    assert not parsed.duplicates


@pytest.mark.parametrize(
    ("text", "lenient", "duplicates"),
    [
        (b'\xef\xbb\xbf{"a":1}', False, False),
        (b'{"a":NaN}', True, False),
        (b'{"a":"\\ud800"}', True, False),
        (b'{"a":"\xff"}', True, False),
        (b'{"a":1,"a":2}', False, True),
        (b'{"a":1,"\\u0061":2}', False, True),
        (b'[{"x":{"k":1,"k":1}}]', False, True),
    ],
)
def test_where_readers_disagree_it_is_said(text: bytes, lenient: bool, duplicates: bool) -> None:
    parsed = parse(text)
    assert isinstance(parsed, Parsed)
    assert (parsed.lenient, parsed.duplicates) == (lenient, duplicates)


def test_what_nobody_reads_has_a_reason() -> None:
    assert isinstance(parse(b"Listening on port 80"), Malformed)
    assert isinstance(parse(b"[" * 100_000), Malformed)
    assert not has_duplicate_keys(b"{")
