"""Kinds of secrets by the manner in which they are shown, each with near misses: see `kinds.toml`."""

import json
import random
import string
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.redact.test_proofs import message, redact

KINDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text("utf-8"))
LETTERS = string.ascii_letters + string.digits
MARK = "§"


def made(rnd: random.Random) -> str:
    return rnd.choice(LETTERS[:26]) + "".join(rnd.choices(LETTERS, k=29)) + rnd.choice(string.digits)


def chosen(rnd: random.Random) -> str:
    words = ("Glacier", "harbor", "Kestrel", "maple", "Timber")
    return f"{rnd.choice(words)}{rnd.choice('_-')}{rnd.randrange(1000, 9999)}{rnd.choice('xQz')}"


def digits(rnd: random.Random) -> str:
    return str(rnd.randrange(100_000, 999_999))


MAKE: dict[str, Callable[[random.Random], str]] = {"made": made, "chosen": chosen, "digits": digits}


def fill(value: Any, secret: str) -> Any:
    if isinstance(value, dict):
        return {key: fill(item, secret) for key, item in value.items()}
    if isinstance(value, list):
        return [fill(item, secret) for item in value]
    return value.replace(MARK, secret) if isinstance(value, str) else value


def cases(table: str, positive: bool) -> list[Any]:
    return [
        pytest.param(kind.get("secret", "chosen"), one, id=f"{name}: {one}"[:60])
        for name, kind in KINDS[table].items()
        for one in kind.get("shown" if positive else "clean", [])
    ]


@pytest.mark.parametrize(("make", "template"), cases("text", True))
def test_a_secret_in_a_text(make: str, template: str) -> None:
    """It is gone, and the text around it stays."""
    secret = MAKE[make](random.Random(template))
    done = redact(json.dumps(message({"text": fill(template, secret)})))
    assert done.error is None and done.hits
    text = done.value["result"]["structuredContent"]["text"]
    assert secret not in text
    for part in template.split(MARK):
        assert part.strip() in text


@pytest.mark.parametrize(("make", "value"), cases("text", False))
def test_a_text_without_one(make: str, value: str) -> None:
    done = redact(json.dumps(message({"text": value})))
    assert done.error is None and not done.hits


@pytest.mark.parametrize(("make", "value"), cases("documents", True))
def test_a_secret_in_a_document(make: str, value: Any) -> None:
    secret = MAKE[make](random.Random(str(value)))
    done = redact(json.dumps(message(fill(value, secret))))
    assert done.error is None and done.hits
    assert secret not in done.text.decode()


@pytest.mark.parametrize(("make", "value"), cases("documents", False))
def test_a_document_without_one(make: str, value: Any) -> None:
    done = redact(json.dumps(message(value)))
    assert done.error is None and not done.hits


@pytest.mark.parametrize(("strength", "name"), [(s, n) for s, kind in KINDS["names"].items() for n in kind["names"]])
def test_a_name_that_says_so(strength: str, name: str) -> None:
    secret = MAKE[KINDS["names"][strength]["secret"]](random.Random(name))
    done = redact(json.dumps(message({name: secret})))
    assert done.hits and secret not in done.text.decode()


@pytest.mark.parametrize("name", KINDS["benign_names"])
def test_a_name_that_only_sounds_so(name: str) -> None:
    done = redact(json.dumps(message({name: "order.4471-x"})))
    assert not done.hits
