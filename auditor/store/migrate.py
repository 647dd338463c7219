"""Bringing a database of an older version up to this one, in one transaction.

A step is `migrations/NNNN.sql`: it turns the base tables of version NNNN - 1 into those of NNNN. Derived tables need no
steps: they are dropped, made anew, and filled again by the next refresh.
"""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from auditor.store import ddl

Step = tuple[int, str]


def steps() -> list[Step]:
    """The migrations there are, as (version they lead to, SQL), ascending."""
    folder = Path(__file__).with_name("migrations")
    return [(int(p.stem), p.read_text("utf-8")) for p in sorted(folder.glob("[0-9]*.sql"))]


def migrate(con: duckdb.DuckDBPyConnection, found: int, known: Sequence[Step], target: int = ddl.VERSION) -> None:
    """Run the steps that lead from version `found` to `target`; all of it happens, or nothing.

    Raises:
        duckdb.Error: when a step fails; the database is then as it was.
    """
    con.execute("BEGIN")
    try:
        for version, sql in known:
            if found < version <= target:
                con.execute(sql)
        for (name,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
            con.execute(f'DROP VIEW "{name}"')
        for table in ddl.tables():
            if table.derived:
                con.execute(f"DROP TABLE IF EXISTS {table.name}")
            else:
                con.execute(ddl.comments(table))
        ddl.create(con, only_derived=True)
        con.execute("UPDATE meta SET schema_version = ?, models_hash = ''", [target])
        con.execute("COMMIT")
    except BaseException:
        con.execute("ROLLBACK")
        raise
