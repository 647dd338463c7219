"""The SQL files: where they are and what their headers say.

A header is the block of `-- key: value` lines that a file opens with; a line `--   text` goes on with the value
before it. `-- param: NAME TYPE = DEFAULT | description` declares a parameter, used as `$NAME`.
"""

import re
from pathlib import Path

import msgspec

_KEY = re.compile(r"^-- ([a-z_]+): ?(.*)$")
_PARAM = re.compile(r"^(\w+) (\w+)(?: = (.*?))? \| (.+)$")


class Param(msgspec.Struct, frozen=True):
    """A parameter of a query; `default` is SQL text, None when the parameter must be given."""

    name: str
    type: str
    default: str | None
    description: str


class SqlFile(msgspec.Struct, frozen=True):
    """One SQL file. `stem` is its file name without `.sql`; `header` maps key to value, folded to one line."""

    stem: str
    header: dict[str, str]
    params: list[Param]
    sql: str


def root() -> Path:
    """The folder of the SQL files: inside the installed package, else beside it in a checkout."""
    inside = Path(__file__).with_name("_queries")
    return inside if inside.is_dir() else Path(__file__).parent.with_name("queries")


def load(kind: str) -> list[SqlFile]:
    """All files of `queries/<kind>/` by name."""
    return [read(p.stem, p.read_text("utf-8")) for p in sorted((root() / kind).glob("*.sql"))]


def read(stem: str, text: str) -> SqlFile:
    """Split a file into its header and its statement.

    Raises:
        ValueError: when a `param` line is not understood.
    """
    header: dict[str, str] = {}
    params: list[Param] = []
    key, lines = "", text.splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    for line in lines[:end]:
        if m := _KEY.match(line):
            key = m[1]
            if key == "param":
                params.append(_param(stem, m[2]))
            else:
                header[key] = m[2]
        elif line.startswith("--   ") and key in header:
            header[key] = f"{header[key]} {line[5:].strip()}".strip()
    return SqlFile(stem, header, params, "\n".join(lines[end:]).strip())


def _param(stem: str, text: str) -> Param:
    m = _PARAM.match(text)
    if not m:
        raise ValueError(f"{stem}.sql: the parameter `{text}` is not of the form NAME TYPE = DEFAULT | description")
    return Param(m[1], m[2], m[3], m[4])
