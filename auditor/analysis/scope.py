"""What an analysis sees: the captures in `dirty`, under the plain names of the tables.

Three sizes. A small scope is copied into temporary tables of the same names, and its derived rows are moved to their
tables when all models have run: binding and filtering views would cost more than the rows. A large scope is seen
through views that begin where its first row stands, and filter by `dirty` where others stand behind that; when
everything is dirty, through views that filter nothing.
"""

from collections.abc import Sequence

import duckdb
import msgspec

BASE = ("captures", "messages", "events", "redactions", "http_facts", "oddities")
DERIVED = (
    "sessions", "exchanges", "calls", "elicitations", "elicitation_fields", "tasks", "orphans", "findings",
)  # fmt: skip

_SMALL = 20_000  # records that are rather copied than seen through a view
_FEW = 100  # captures that a statement can list; DuckDB then reads only the row groups that may hold them
_DIRTY = "(SELECT capture_id FROM dirty)"


class Scope(msgspec.Struct, frozen=True):
    """`catalog` is the quoted name of the database; `dirty` a list of captures in SQL, in brackets."""

    catalog: str
    small: bool
    dirty: str

    def table(self, name: str) -> str:
        """The real table of a name."""
        return f"{self.catalog}.main.{name}"


def open_scope(con: duckdb.DuckDBPyConnection, captures: Sequence[str]) -> Scope:
    """Make `dirty`, and what shadows the tables."""
    con.execute(
        "CREATE OR REPLACE TEMP TABLE dirty AS SELECT unnest($captures::VARCHAR[]) AS capture_id",
        {"captures": list(captures)},
    )
    catalog = _catalog(con)
    records, others = con.execute(
        f"SELECT coalesce(sum(records_loaded) FILTER (capture_id IN {_DIRTY}), 0),"  # noqa: S608
        f" count(*) FILTER (capture_id NOT IN {_DIRTY}) FROM {catalog}.main.ingested"
    ).fetchall()[0]
    listed = "(" + ", ".join("'" + c.replace("'", "''") + "'" for c in captures) + ")"
    scope = Scope(catalog, records <= _SMALL, listed if 0 < len(captures) <= _FEW else _DIRTY)
    con.execute("SET threads = 1" if scope.small else "RESET threads")  # threads that have nothing to do still cost
    for name in BASE:
        kind = "TABLE" if scope.small else "VIEW"
        where = "" if others == 0 else f" WHERE capture_id IN {scope.dirty}" if scope.small else _rows(con, scope, name)
        con.execute(f"CREATE OR REPLACE TEMP {kind} {name} AS SELECT * FROM {scope.table(name)}{where}")  # noqa: S608
    for name in DERIVED:
        if scope.small:
            con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS FROM {scope.table(name)} LIMIT 0")
        else:
            where = "" if others == 0 else f" WHERE capture_id IN {scope.dirty}"
            con.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS SELECT * FROM {scope.table(name)}{where}")  # noqa: S608
    con.execute(f"SET VARIABLE scope = {_quoted(msgspec.json.encode(scope).decode())}")
    return scope


def current(con: duckdb.DuckDBPyConnection) -> Scope:
    """The scope that was opened on this connection."""
    row = con.execute("SELECT getvariable('scope')").fetchone()
    assert row is not None
    return msgspec.json.decode(row[0], type=Scope)


def fill(con: duckdb.DuckDBPyConnection, scope: Scope, name: str, sql: str) -> None:
    """Make the rows of a derived table anew."""
    if scope.small:
        con.execute(f"INSERT INTO temp.{name} BY NAME {sql}")
        return
    _clear(con, scope, name)
    last = con.execute(f"SELECT max(rowid) FROM {scope.table(name)}").fetchall()[0][0]  # noqa: S608
    con.execute(f"INSERT INTO {scope.table(name)} BY NAME {sql}")
    where = "" if last is None else f" WHERE rowid > {last}"
    con.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS SELECT * FROM {scope.table(name)}{where}")  # noqa: S608


def _rows(con: duckdb.DuckDBPyConnection, scope: Scope, name: str) -> str:
    """The condition on rows of a base table. What was just loaded stands at its end, and DuckDB skips what is before a
    row; names of captures it would compare one by one, in every statement."""
    table = scope.table(name)
    first, own = con.execute(
        f"SELECT min(rowid), count(*) FROM {table} WHERE capture_id IN {scope.dirty}"  # noqa: S608
    ).fetchall()[0]
    if first is None:
        return " WHERE false"
    behind = con.execute(f"SELECT count(*) FROM {table} WHERE rowid >= {first}").fetchall()[0][0]  # noqa: S608
    return f" WHERE rowid >= {first}" + ("" if own == behind else f" AND capture_id IN {scope.dirty}")


def settle(con: duckdb.DuckDBPyConnection, scope: Scope) -> None:
    """Move what a small scope derived to its tables."""
    if scope.small:
        for name in DERIVED[:-1]:
            _clear(con, scope, name)
            con.execute(f"INSERT INTO {scope.table(name)} BY NAME FROM temp.{name}")


def _clear(con: duckdb.DuckDBPyConnection, scope: Scope, name: str) -> None:
    con.execute(f"DELETE FROM {scope.table(name)} WHERE capture_id IN {scope.dirty}")  # noqa: S608


def _catalog(con: duckdb.DuckDBPyConnection) -> str:
    row = con.execute(
        "SELECT database_name FROM duckdb_tables() WHERE table_name = 'findings' AND schema_name = 'main'"
        " AND NOT temporary ORDER BY database_name LIMIT 1"
    ).fetchone()
    assert row is not None
    return '"' + str(row[0]).replace('"', '""') + '"'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
