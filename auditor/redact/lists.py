"""The lists that people read and mend: TOML files in `detectors/`, read once."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).with_name("detectors")


@cache
def names() -> dict[str, Any]:
    """What names say of values (`names.toml`)."""
    return _read("names.toml")


@cache
def tokens() -> dict[str, Any]:
    """Shapes of tokens by group and kind (`tokens.toml`)."""
    return _read("tokens.toml")


@cache
def prose() -> dict[str, Any]:
    """How texts lead from names to values (`prose.toml`)."""
    return _read("prose.toml")


@cache
def commands() -> dict[str, Any]:
    """Passwords on command lines (`commands.toml`)."""
    return _read("commands.toml")


@cache
def blocks() -> dict[str, Any]:
    """Words before blocks of secrets (`blocks.toml`)."""
    return _read("blocks.toml")


@cache
def questions() -> dict[str, Any]:
    """What form fields ask for (`fields.toml`)."""
    return _read("fields.toml")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / name).read_text("utf-8"))
