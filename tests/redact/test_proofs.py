"""What redaction promises, for any document: no secret is left, nothing else is changed, and once is enough."""

import base64
import json
import random
import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.redact.checks import likely, numbers
from auditor.redact.fingerprints import Key
from auditor.redact.lists import tokens
from auditor.redact.look import ANYTHING
from auditor.redact.policy import Policy
from auditor.redact.redactor import CaptureRedactor, Redactor
from auditor.redact.result import Redacted
from auditor.redact.shapes import SETS, shape
from auditor.wire.jsontext import Parsed, parse

KEY = Key("k", "ab" * 32, 0)
REDACTOR = Redactor(Policy(), "", [KEY])
LETTERS = string.ascii_letters + string.digits


def redact(text: str | bytes, using: CaptureRedactor | None = None, direction: str = "s2c") -> Redacted:
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    parsed = parse(raw)
    assert isinstance(parsed, Parsed)
    return (using or REDACTOR.for_capture(None)).message(raw, parsed, direction)


def message(value: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": {"structuredContent": value}}


def spellings(secret: str) -> list[str]:
    out = [secret, quote(secret, safe=""), secret.replace("/", "\\/")]
    inner = secret
    for _ in range(3):
        inner = json.dumps(inner, ensure_ascii=False)[1:-1]
        out.append(inner)
    return [*out, json.dumps(secret)[1:-1]]


def gone(done: Redacted, secret: str) -> None:
    assert done.error is None
    assert done.hits
    text = done.text.decode("utf-8", "surrogatepass")
    for spelled in spellings(secret):
        assert spelled not in text


PLAIN = st.text(st.characters(codec="utf-8", categories=("L", "Zs", "P", "So")), max_size=20)
LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | PLAIN
)
DOCUMENT = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PLAIN, inner, max_size=4), max_leaves=12
)
SECRET = st.text(LETTERS + "-_.!#%&*/+=~^$", min_size=10, max_size=40).filter(
    lambda s: any(c.isdigit() for c in s) and any(c.isupper() for c in s) and len(set(s)) > 6 and s[0] in LETTERS and s[-1] in LETTERS
    and not re.search(r"x{4}|\.\w+\.", s, re.IGNORECASE)
)  # fmt: skip
NAME = st.sampled_from(
    ["password", "apiKey", "client_secret", "db_passwd", "密码", "пароль", "contraseña", "パスワード", "privateKey"]
)


@settings(max_examples=150, deadline=None)
@given(DOCUMENT, NAME, SECRET, st.integers(0, 2), st.booleans(), st.booleans())
def test_a_planted_secret_is_gone(
    around: Any, name: str, secret: str, nesting: int, ascii_only: bool, slashes: bool
) -> None:
    """Wherever it stands, however deep in strings of JSON, and however it is spelled."""
    value: Any = {name: secret, "around": around}
    for _ in range(nesting):
        value = {"text": json.dumps(value, ensure_ascii=ascii_only)}
    text = json.dumps(message(value), ensure_ascii=ascii_only)
    if slashes and nesting == 0:
        text = text.replace("/", "\\/")
    gone(redact(text), secret)


@settings(max_examples=200, deadline=None)
@given(DOCUMENT, st.booleans(), st.sampled_from([None, 2]))
def test_without_a_secret_nothing_changes(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(message(value), ensure_ascii=ascii_only, indent=indent).encode()
    done = redact(text)
    if not done.hits:
        assert done.error is None and done.text == text


@settings(max_examples=100, deadline=None)
@given(DOCUMENT, NAME, SECRET)
def test_once_is_enough(around: Any, name: str, secret: str) -> None:
    once = redact(json.dumps(message({name: secret, "around": around, "said": f"{name}: {secret}"})))
    again = redact(once.text)
    assert again.text == once.text and not again.hits


@settings(max_examples=60, deadline=None)
@given(SECRET, st.text(string.ascii_lowercase + " ", max_size=30))
def test_what_was_found_once_is_found_again(secret: str, words: str) -> None:
    """In another message, without a word that gives it away, and under the same fingerprint."""
    capture = REDACTOR.for_capture(None)
    first = redact(json.dumps(message({"password": secret})), capture)
    later = redact(json.dumps(message({"note": f"{words} ({secret}) {words}"})), capture)
    gone(later, secret)
    assert {h.fp for h in later.hits} == {h.fp for h in first.hits}


def parts(text: str, rnd: random.Random) -> str:
    """A value of a shape."""
    alphabet = {"hex": "0123456789abcdef", "HEX": "0123456789ABCDEF", "xhex": "0123456789abcdef", "dec": "0123456789"}
    alphabet |= {
        "up": string.ascii_uppercase + string.digits,
        "lo": string.ascii_lowercase + string.digits,
        "an": LETTERS,
    }
    alphabet |= dict.fromkeys(["w", "u", "ua", "b64"], LETTERS)
    assert set(alphabet) == set(SETS)
    return re.sub(
        r"\{(\w+):(\d+)[^}]*\}",
        lambda m: "".join(rnd.choice(alphabet[m[1]]) for _ in range(int(m[2]))),
        text.partition("|")[0],
    )


SHAPES = [
    (kind, one)
    for group in tokens().values()
    for kind, given_ in group.items()
    for one in (given_ if isinstance(given_, list) else [given_])
]


def test_there_are_kinds_enough() -> None:
    assert len({kind for kind, _ in SHAPES}) >= 200


@pytest.mark.parametrize(("kind", "one"), SHAPES, ids=lambda v: str(v)[:40])
def test_a_token_is_known_by_its_shape(kind: str, one: str) -> None:
    """In running text; and a value that is cut short is none."""
    rnd = random.Random(one)
    value = parts(one, rnd)
    done = redact(
        json.dumps(
            message(
                {"note": f"rejected ({value}) at once"},
            )
        )
    )
    assert value not in done.text.decode(), one
    literal = shape(one).literal
    short = redact(json.dumps(message({"note": f"begins with {literal[:-1]} only"})))
    assert not short.hits, one


def discord(rnd: random.Random) -> str:
    number = str(rnd.randrange(10**17, 10**19)).encode()
    return f"{base64.urlsafe_b64encode(number).decode().rstrip('=')}.{made_of(rnd, 6)}.{made_of(rnd, 38)}"


def made_of(rnd: random.Random, n: int, alphabet: str = LETTERS) -> str:
    return "".join(rnd.choices(alphabet, k=n - 3)) + "aB3"


DOTTED: dict[str, Callable[[random.Random], str]] = {
    "discord": discord,
    "zhipu": lambda rnd: f"{rnd.randrange(16**32):032x}.{made_of(rnd, 16)}",
    "ghost": lambda rnd: f"{rnd.randrange(16**24):024x}:{rnd.randrange(16**64):064x}",
    "mailgun": lambda rnd: f"{rnd.randrange(16**32):032x}-{rnd.randrange(16**8):08x}-{rnd.randrange(16**8):08x}",
    "ngrok": lambda rnd: f"2{made_of(rnd, 26)}_{made_of(rnd, 21)}",
    "sanctum": lambda rnd: f"{rnd.randrange(1, 999)}|{made_of(rnd, 40)}",
    "ably": lambda rnd: f"{made_of(rnd, 6)}.{made_of(rnd, 6)}:{made_of(rnd, 43)}",
    "of whom nobody knows": lambda rnd: f"acme_{made_of(rnd, 37)}1",
    "sk": lambda rnd: f"sk-{made_of(rnd, 24)}",
    "pat": lambda rnd: f"acme_pat_{made_of(rnd, 30)}",
    "key": lambda rnd: f"widget_api_key_{made_of(rnd, 30)}",
    "secret": lambda rnd: f"acme-client-secret_{made_of(rnd, 30)}",
    "live": lambda rnd: f"acme_live_{made_of(rnd, 30)}",
    "azure": lambda rnd: f"{made_of(rnd, 42)}AzSe{made_of(rnd, 6)}",
    "proxmox": lambda rnd: "root@pam!ci=1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
    "deepl": lambda rnd: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed:fx",
    "jenkins": lambda rnd: f"11{rnd.randrange(16**32):032x}",
    "lambda": lambda rnd: f"secret_build-key_{rnd.randrange(16**32):032x}.{made_of(rnd, 32)}",
}


@pytest.mark.parametrize("before", ["", "it is ", "(", "token\t", '"'])
@pytest.mark.parametrize("after", ["", ".", ". It", ")", ", or", "\n"])
@pytest.mark.parametrize("kind", sorted(DOTTED))
def test_tokens_that_no_literal_text_begins(kind: str, before: str, after: str) -> None:
    secret = DOTTED[kind](random.Random(before + after))
    done = redact(json.dumps(message({"note": before + secret + after})))
    gone(done, secret[-16:])
    note = json.loads(done.text)["result"]["structuredContent"]["note"]
    assert note.startswith(before)
    assert note.endswith(after)


@pytest.mark.parametrize(
    "text",
    [
        "app.d41d8cd98f00b204e9800998ecf8427e.bundle", "d41d8cd98f00b204e9800998ecf8427e.manifest12345678",
        "MTIzNDU2Nzg5MDEyMzQ1Njc4.words.and-more-of-them-with-no-end-at-all", "some.Module.NameOfSomethingThatIsLong",
        "NameOfSomethingInModules.subpkg.a_method_with_a_very_long_name_1",
        "pk_live_aB3dE6gH9jkL1mN4aB3dE6gH9jkL1mN4aB3dE6", "sha512-aB3dE6gH9jkL1mN4aB3dE6gH9jkL1mN4aB3dE6",
        "release:139239e6b75ab01bf1e24dfa1ac08af25c8c2a12", "build-139239e6b75ab01bf1e24dfa1ac08af25c8c2a12ab",
        "a-file-of-a-long-name_139239e6b75ab01bf1e24d", "12:139239e6b75ab01bf1e24dfa1ac08af25c8c2a1200000000",
    ],
)  # fmt: skip
def test_points_in_what_is_no_token(text: str) -> None:
    assert not redact(json.dumps(message({"note": text}))).hits


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("line_end", ["\n", "\\n", "\r\n"])
@pytest.mark.parametrize("head", ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
def test_private_keys(head: str, line_end: str, whole: bool) -> None:
    rnd = random.Random(head)
    body = line_end.join("".join(rnd.choice(LETTERS + "+/") for _ in range(64)) for _ in range(6))
    end = f"{line_end}-----END {head}-----" if whole else ""
    done = redact(json.dumps(message({"text": f"key:\n-----BEGIN {head}-----{line_end}{body}{end}"})))
    text = done.text.decode()
    assert done.hits and not any(line[:40] in text for line in body.split(line_end))


@pytest.mark.parametrize("skip", [0, 1, 2])
def test_base64_at_every_alignment(skip: int) -> None:
    import base64

    secret = "Kestrel-Ember-4471!"
    packed = base64.b64encode(b"x" * skip + json.dumps({"password": secret}).encode()).decode()
    done = redact(json.dumps(message({"blob": packed})))
    assert done.hits
    inside = re.search(r'"blob": ?"([^"]*)"', done.text.decode())
    assert inside is not None
    assert secret.encode() not in base64.b64decode(inside[1] + "=" * (-len(inside[1]) % 4))


FORMS = [
    "pin: 4921", "password=hunter2-x", "the password is Winter-77x", "otp 493021", "-p s3cret-pw", "token: abc123def4",
    "Bearer abcd1234efgh", "postgres://u:pw-9x@db/x", "4111 1111 1111 1111", "123-45-6789", "密码是 abc-123-x",
    "ghp_aB3dE6gH9jaB3dE6gH9jaB3dE6gH9jkL1mN4", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "eyJwYXNzd29yZCI6ICJodW50ZXIyLXgifQ==", "hunter2", "main", "d41d8cd98f00b204e9800998ecf8427e",
]  # fmt: skip
BEFORE = ["", " ", "\n", "\t", "\r\n", "\b", "\f", "\\", '"', "/", "\u00e9", "\u2028", "\x00", "n", "\\n", "x\t"]
WRITERS: dict[str, Callable[[Any], str]] = {
    "ascii": json.dumps,
    "utf-8": lambda value: json.dumps(value, ensure_ascii=False),
    "php": lambda value: json.dumps(value).replace("/", "\\/"),
    "go": lambda value: json.dumps(value).replace("<", "\\u003c").replace("&", "\\u0026"),
}


@settings(max_examples=1500)
@given(
    st.lists(st.tuples(st.sampled_from(BEFORE), st.sampled_from(FORMS)), min_size=1, max_size=3),
    st.sampled_from(sorted(WRITERS)),
)
def test_a_quick_look_sees_what_a_long_one_does(pieces: list[tuple[str, str]], writer: str) -> None:
    """However a writer escapes what stands before a secret: a message is passed as clean only when it is."""
    value = {"jsonrpc": "2.0", "id": 1, "result": {"text": "".join(before + form for before, form in pieces)}}
    text = WRITERS[writer](value)
    assert json.loads(text) == value
    _, engine = REDACTOR.for_capture(None)._rules(None)
    _, _, hits, _ = engine.document(text, value, json.loads)
    assert bool(redact(text).hits) == bool(hits)


OPENERS = ["", "so ", "x", "-", "é ", "\n", "a\t", "5% ", "%41 ", '"', "\\", "\\n", "data: "]


@settings(max_examples=600, deadline=None)
@given(
    st.recursive(
        st.tuples(st.sampled_from(OPENERS), st.sampled_from(FORMS)).map("".join) | LEAF,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(PLAIN | NAME | st.sampled_from(["name", "value", "note", *FORMS]), inner, max_size=4)
            | st.tuples(st.sampled_from(OPENERS), inner.map(json.dumps)).map("".join)
        ),
        max_leaves=8,
    ),
    st.booleans(),
)
def test_texts_that_are_passed_over_hold_nothing(value: Any, ascii_only: bool) -> None:
    """One look at a whole document tells in which texts something may begin: the rest is as if it was looked at."""
    text = json.dumps(message(value), ensure_ascii=ascii_only)
    _, quick = REDACTOR.for_capture(None)._rules(None)
    _, slow = REDACTOR.for_capture(None)._rules(None)
    with pytest.MonkeyPatch.context() as patched:
        looked = quick.document(text, message(value), json.loads)
        assert looked == quick.document(text, message(value), json.loads)  # what is remembered says the same
        patched.setattr("auditor.redact.run.look_at", lambda *_given, **_named: ANYTHING)
        assert looked == slow.document(text, message(value), json.loads)


@given(st.text("0123456789ABXYZHEL -.", min_size=9, max_size=40))
def test_numbers_are_looked_for_wherever_they_may_be(text: str) -> None:
    assert likely(text) or not numbers(text)


SEEN = [
    "pin: 4921",
    "password=hunter2-x",
    "token: abc123def4",
    "postgres://u:pw-9x@db/x",
    "5425 2334 3010 9903",
    FORMS[11],
]


@pytest.mark.parametrize("form", SEEN)
@pytest.mark.parametrize("back", [0, 1, 3, 9, 15, 25, 60])
def test_large_texts_are_looked_at_in_windows_that_overlap(form: str, back: int) -> None:
    size = 1 << 18
    head = '{"jsonrpc":"2.0","id":1,"result":{"text":"'
    filler = "some words of it "
    for windows in (1, 2):
        before = (filler * (windows * size // len(filler) + 1))[: windows * size - back - len(head)] + "\n"
        small = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"text": "it \n" + form + "\nis"}})
        large = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"text": before + form + "\nis " + filler * 100}})
        assert [(h.kind, h.fp) for h in redact(large).hits] == [(h.kind, h.fp) for h in redact(small).hits] != []


USUAL = [
    {"id": 1, "method": "ping"},
    {
        "id": "a-1",
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "open issues", "limit": 5}},
    },
    {"id": 2, "result": {"content": [{"type": "text", "text": "Done.\n2 of 3 passed."}], "isError": False}},
    {"id": 3, "result": {"structuredContent": {"items": [{"id": 7, "title": "a list", "done": True}], "total": 1}}},
    {"method": "notifications/message", "params": {"level": "info", "logger": "db", "data": "connected"}},
    {"method": "notifications/progress", "params": {"progressToken": 3, "progress": 1, "total": 9, "message": "on it"}},
    {"id": 4, "result": {"action": "accept", "content": {"environment": "staging", "canary": True}}},
    {"id": 5, "error": {"code": -32602, "message": "Unknown tool: x"}},
    {"id": 6, "result": {"contents": [{"uri": "file:///notes.md", "mimeType": "text/markdown", "text": "# Notes"}]}},
]


@pytest.mark.parametrize("body", USUAL, ids=lambda body: str(body.get("id", body.get("method"))))
def test_usual_messages_are_passed_at_a_quick_look(body: dict[str, Any]) -> None:
    """What most messages cost is one look; a name that is found everywhere would make them all cost a long one."""
    value = {"jsonrpc": "2.0", **body}
    raw = json.dumps(value).encode()
    _, engine = REDACTOR.for_capture(None)._rules(None)
    assert engine.clean(raw, raw.decode(), value)


def test_a_value_that_is_spelled_with_escapes_within() -> None:
    """It goes with its escapes: what is JSON stays JSON."""
    said = json.dumps({"note": 'it was "Lantern-5521-a then'})
    done = redact(json.dumps(message({"password": '"Lantern-5521-a', "said": said})))
    gone(done, "Lantern-5521-a")
    inside = json.loads(done.value["result"]["structuredContent"]["said"])
    assert inside["note"].startswith("it was [REDACTED:password:fp=")


@pytest.mark.parametrize("inner", [
    '{"password":"Lantern-5521-a","password":"x"}', '[{"password": "Lantern-5521-a", "password": null}]',
    '{"password":"Lantern-5521-a","note":"\\u0041","password":false}', 'first\n{"password":"Lantern-5521-a","password":1}',
])  # fmt: skip
def test_keys_that_stand_twice_in_json_in_a_text(inner: str) -> None:
    """Readers disagree on which of them counts: each is looked at."""
    gone(redact(json.dumps(message({"text": inner}))), "Lantern-5521-a")


def test_keys_that_stand_twice() -> None:
    done = redact('{"jsonrpc":"2.0","id":1,"result":{"password":"Lantern-5521-a","password":"x"}}')
    gone(done, "Lantern-5521-a")


def test_bytes_that_are_no_text() -> None:
    raw = b'{"jsonrpc":"2.0","id":1,"result":{"note":"caf\xe9","password":"Lantern-5521-a"}}'
    gone(redact(raw), "Lantern-5521-a")
    clean = b'{"jsonrpc":"2.0","id":1,"result":{"note":"caf\xe9"}}'
    assert redact(clean).text == clean


def test_lone_surrogates() -> None:
    text = '{"jsonrpc":"2.0","id":1,"result":{"note":"\\ud800","password":"Lantern-5521-a"}}'
    gone(redact(text), "Lantern-5521-a")
    clean = '{"jsonrpc":"2.0","id":1,"result":{"note":"\\ud800"}}'
    assert redact(clean).text == clean.encode()


def test_too_deep_is_not_stored() -> None:
    done = redact(
        '{"jsonrpc":"2.0","id":7,"method":"x","params":' + "[" * 600 + '{"password":"Lantern-5521-a"}' + "]" * 600 + "}"
    )
    assert done.error is not None and done.text == b"" and done.value == {"jsonrpc": "2.0", "id": 7, "method": "x"}


def test_the_fingerprint_key_is_private_and_stays(tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    first, second = Redactor.load(db, tmp_path), Redactor.load(db, tmp_path)
    assert first.key_id == second.key_id
    key = tmp_path / "a.duckdb.key"
    assert key.stat().st_mode & 0o777 == 0o600
