"""What redaction costs grows with the length of a text alone, and what is told at a look is told rightly."""

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.redact.text import Scanner
from auditor.redact.values import _CODE, _PLACEHOLDER, code, placeholder
from tests.redact.test_proofs import message, redact

SCANNER = Scanner()

PATHOLOGICAL = {
    "digits": "1234567890", "base64": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo", "quotes": '\\"', "spaces": "1 2 ", "eyJ": "eyJ",
    "names": "password:", "percent": "%41", "urls": "https://a:b@c ", "pem": "-----BEGIN RSA PRIVATE KEY-----", "iban": "GB82 WEST 1234 ",
    "dots": "a.", "dashes": "1-", "lines": "\n{", "flags": " -p ", "bearer": "bearer ", "commands": "mysql -p", "netrc": "login a ",
    "names and colons": "pin: pin: ", "names that are": "password is password is ", "names of names": "the password is the secret of a token, ",
    "names in lines": "password\n", "questions": "is my password as my pin ",
}  # fmt: skip


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_time_grows_no_faster_than_the_text(name: str) -> None:
    piece = PATHOLOGICAL[name]

    def cost(size: int) -> float:
        raw = json.dumps(message({"text": piece * (size // len(piece))})).encode()
        best = 1e9
        for _ in range(3):
            start = time.thread_time()
            assert redact(raw).error is None
            best = min(best, time.thread_time() - start)
        return best

    assert cost(400_000) < 8 * cost(100_000) + 0.1  # twice as much as is linear, half of what would be a square


def test_many_keys() -> None:
    done = redact(json.dumps(message({f"key{n}": n for n in range(30_000)})))
    assert done.error is None and not done.hits


SAID = [
    "password", "pin", "token", "PIN", "api key", "login", "пароль", "the", "is", "of", "was", "now", "so", "as", "for", "4921",
    "Winter-77x", "hunter2", "abcDEFghi", "<key>", "s3cret:", "x=1",
]  # fmt: skip
SIGNS = [" ", " ", " ", ": ", ", ", ". ", "\n", "? ", " | ", " = ", "='", "' ", "(", " - ", ":", " > ", "\n\n"]


@settings(max_examples=1500, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(SAID), st.sampled_from(SIGNS)).map("".join), min_size=8, max_size=40).map(
        "".join
    )
)
def test_where_all_is_calm_there_is_no_secret(text: str) -> None:
    """Names with nothing near them but plain words are passed over, as they would be with a long look."""
    quick = SCANNER.scan(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("auditor.redact.finders.calm", lambda *_given: False)
        assert SCANNER.scan(text) == quick


PARTS = [
    "<", ">", "${", "{{", "%x%", "[x]", "xxx", "•", "#", "_", "-", "...", "…", "****", "change", "me", "your", "insert",
    "here", "placeholder", "null", "n/a", "not set", "op://", "arn:aws", "ENC[", "!vault ", "A_B_VALUE", "[REDACTED:x]",
    "a", "B", "7", "é", " ", "/", ".", ":", "(", ")", "0", "fixme", "ſ", "process.env", "getenv", "await", "new ", "::",
    "f(x)", "pass", "self.", "\n", "Pa55word!",
]  # fmt: skip


@settings(max_examples=3000, deadline=None)
@given(
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("".join), st.sampled_from([str, str.upper, str.title])
)
def test_what_is_quickly_told_apart_is_told_apart_rightly(value: str, case: Callable[[str], str]) -> None:
    """Most values are told from placeholders and code without their patterns, and as these would tell them."""
    value = case(value)
    text = value.strip().strip("\"'`")
    if text and len(set(text)) > 1:
        assert placeholder(value) == bool(_PLACEHOLDER.match(text))
    assert code(value) == bool(_CODE.search(value))
