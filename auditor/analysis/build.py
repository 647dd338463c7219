"""Making the derived tables of some captures anew, in one order.

Rules. A step reads what stands before it and writes one table. Models are the SQL files in `queries/models/`; what
SQL cannot say is a function here, in the same order. Every step names plain tables and sees only the captures in
`dirty`: something temporary of the same name stands before the real table (`auditor.analysis.scope`).
"""

from collections.abc import Callable, Sequence

import duckdb

from auditor.analysis import attribute, chains, fields, handshakes, prompts, replies, taskstates, texts
from auditor.analysis.scope import DERIVED, Scope, fill, open_scope, settle
from auditor.analysis.settings import settings
from auditor.queries import SqlFile, load

Step = Callable[[duckdb.DuckDBPyConnection], None]

# The Python steps, by the model before which they run.
_BEFORE: dict[str, tuple[Step, ...]] = {
    "20_sessions": (handshakes.fill,),
    "40_tasks": (taskstates.fill,),
    "50_open": (prompts.fill, chains.fill),
    "55_parents": (attribute.fill,),
    "60_closings": (replies.fill,),
    "80_elicitation_fields": (fields.fill,),
    "85_calls": (texts.add_asked,),
}


def analyze(con: duckdb.DuckDBPyConnection, captures: Sequence[str]) -> None:
    """Rebuild the derived tables of these captures (findings aside); the caller has opened the transaction.

    Leaves the scope (`dirty` and what shadows the tables) behind for the rules.

    Raises:
        duckdb.Error: when a model is wrong.
    """
    scope = open_scope(con, captures)
    given = settings()
    con.execute(f"SET VARIABLE timeout_us = {round(given.prompt_timeout_s * 1e6)}")
    con.execute(f"SET VARIABLE grace_us = {round(given.cancel_grace_s * 1e6)}")
    for model in load("models"):
        for step in _BEFORE.get(model.stem, ()):
            step(con)
        _run(con, model, scope)
    settle(con, scope)


def _run(con: duckdb.DuckDBPyConnection, model: SqlFile, scope: Scope) -> None:
    table = model.header["table"]
    if table == texts.TABLE and scope.small:
        con.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS SELECT capture_id, seq, raw FROM messages")  # noqa: S608
    elif table in DERIVED:
        fill(con, scope, table, model.sql)
    else:
        con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {model.sql}")
