"""The tables as their SQL files define them: statements, and what each table and column means.

Rules. A file holds `CREATE TABLE name ( -- doc`, one column a line with its `-- doc`, and `);`. That text is the only
place where a column is documented: it lands in the database as COMMENT, and in the generated docs.
"""

import re
from functools import cache
from pathlib import Path

import duckdb
import msgspec

VERSION = 1
APPLICATION = "auditor"

_TABLE = re.compile(r"^CREATE TABLE (\w+) \( -- (.+)$")
_COLUMN = re.compile(r"^    ([a-z_]\w*) (.+?),? -- (.+)$")


class Column(msgspec.Struct, frozen=True):
    """One column; `type` is SQL text without its constraints."""

    name: str
    type: str
    nullable: bool
    doc: str


class Table(msgspec.Struct, frozen=True):
    """One table, `sql` its CREATE statement. A derived table can be dropped and made anew from the base tables."""

    name: str
    doc: str
    derived: bool
    columns: list[Column]
    sql: str


@cache
def tables() -> tuple[Table, ...]:
    """All tables, base tables first, in the order of their files.

    Raises:
        ValueError: when a line of the files has no documentation.
    """
    folder = Path(__file__).parent
    return (*parse((folder / "schema.sql").read_text("utf-8"), False),
            *parse((folder / "derived.sql").read_text("utf-8"), True))  # fmt: skip


def parse(text: str, derived: bool) -> list[Table]:
    """Read the CREATE TABLE statements of one file."""
    out: list[Table] = []
    head: re.Match[str] | None = None
    columns: list[Column] = []
    lines: list[str] = []
    for line in text.splitlines():
        if m := _TABLE.match(line):
            head, columns, lines = m, [], [line]
        elif head is not None:
            lines.append(line)
            if line == ");":
                out.append(Table(head[1], head[2], derived, columns, "\n".join(lines)))
                head = None
            elif not line.startswith("    PRIMARY KEY ("):
                columns.append(_column(head[1], line))
    return out


def _column(table: str, line: str) -> Column:
    m = _COLUMN.match(line)
    if not m:
        raise ValueError(f"table {table}: the line `{line.strip()}` is no documented column")
    kind = re.split(r" (?:NOT NULL|PRIMARY KEY|DEFAULT|USING)\b", m[2])[0]
    return Column(m[1], kind, "NOT NULL" not in m[2] and "PRIMARY KEY" not in m[2], m[3])


def create(con: duckdb.DuckDBPyConnection, *, only_derived: bool = False) -> None:
    """Make the tables and their comments; the caller has opened a transaction."""
    made = [table for table in tables() if table.derived or not only_derived]
    con.execute("\n".join(f"{table.sql}\n{comments(table)}" for table in made))


def comments(table: Table) -> str:
    """The statements that write a table's documentation into the database."""
    on = [f"COMMENT ON TABLE {table.name} IS {_quoted(table.doc)};"]
    on += [f'COMMENT ON COLUMN {table.name}."{c.name}" IS {_quoted(c.doc)};' for c in table.columns]
    return "\n".join(on)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
