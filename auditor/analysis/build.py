"""Making the derived tables of some captures anew, in one order.

Rules. A step reads what stands before it and writes one table. Models are the SQL files in `queries/models/`; what
SQL cannot say is a function here, in the same order. Every step names plain tables and sees only the captures in
`dirty`: temporary views of the same names stand before the real ones.
"""

from collections.abc import Callable, Sequence

import duckdb

from auditor.analysis import attribute, chains, fields, handshakes, prompts, replies, taskstates
from auditor.queries import SqlFile, load

Step = Callable[[duckdb.DuckDBPyConnection], None]

BASE = ("captures", "messages", "events", "redactions", "http_facts", "oddities")
DERIVED = (
    "sessions", "exchanges", "calls", "elicitations", "elicitation_fields", "tasks", "orphans", "findings",
)  # fmt: skip

# The Python steps, by the model before which they run.
_BEFORE: dict[str, tuple[Step, ...]] = {
    "20_sessions": (handshakes.fill,),
    "40_tasks": (taskstates.fill,),
    "50_open": (prompts.fill, chains.fill),
    "55_parents": (attribute.fill,),
    "60_closings": (replies.fill,),
    "80_elicitation_fields": (fields.fill,),
}

# Options of the models, with their defaults; each is in microseconds.
THRESHOLDS = {"timeout_us": 300_000_000, "grace_us": 2_000_000}


def analyze(con: duckdb.DuckDBPyConnection, captures: Sequence[str]) -> None:
    """Rebuild the derived tables of these captures (findings aside); the caller has opened the transaction.

    Leaves the scope (`dirty` and the views) behind for the rules.

    Raises:
        duckdb.Error: when a model is wrong.
    """
    catalog = open_scope(con, captures)
    for model in load("models"):
        for step in _BEFORE.get(model.stem, ()):
            step(con)
        _run(con, model, catalog)


def open_scope(con: duckdb.DuckDBPyConnection, captures: Sequence[str]) -> str:
    """Make `dirty` and the views that shadow the tables; gives the quoted name of the database."""
    row = con.execute(
        "SELECT database_name FROM duckdb_tables() WHERE table_name = 'findings' AND schema_name = 'main'"
        " AND NOT temporary ORDER BY database_name LIMIT 1"
    ).fetchone()
    assert row is not None
    catalog = '"' + str(row[0]).replace('"', '""') + '"'
    con.execute(
        "CREATE OR REPLACE TEMP TABLE dirty AS SELECT unnest($captures::VARCHAR[]) AS capture_id",
        {"captures": list(captures)},
    )
    for table in (*BASE, *DERIVED):
        con.execute(
            f"CREATE OR REPLACE TEMP VIEW {table} AS SELECT * FROM {catalog}.main.{table}"  # noqa: S608
            " WHERE capture_id IN (SELECT capture_id FROM dirty)"
        )
    for name, value in THRESHOLDS.items():
        con.execute(f"SET VARIABLE {name} = {value}")
    return catalog


def _run(con: duckdb.DuckDBPyConnection, model: SqlFile, catalog: str) -> None:
    table = model.header["table"]
    if table not in DERIVED:
        con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {model.sql}")
        return
    target = f"{catalog}.main.{table}"
    con.execute(f"DELETE FROM {target} WHERE capture_id IN (SELECT capture_id FROM dirty)")  # noqa: S608
    con.execute(f"INSERT INTO {target} BY NAME {model.sql}")
