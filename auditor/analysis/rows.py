"""Rows between Python and DuckDB, many at a time and without a file."""

from collections.abc import Iterable, Iterator
from typing import Any

import duckdb
import msgspec

_BATCH = 20_000  # rows a round: a few MB of JSON


def put(con: duckdb.DuckDBPyConnection, table: str, columns: dict[str, str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Make the temporary table `table` anew from rows; `columns` maps names to DuckDB types."""
    typed = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
    con.execute(f"CREATE OR REPLACE TEMP TABLE {table} ({typed})")
    shape = "[{" + ", ".join(f'"{name}": "{kind}"' for name, kind in columns.items()) + "}]"
    insert = f"INSERT INTO {table} BY NAME SELECT unnest(from_json($rows::JSON, '{shape}'), recursive := true)"
    for text in list(_encoded(columns, rows)):  # `rows` may still be reading from this connection
        con.execute(insert, {"rows": text})


def _encoded(columns: dict[str, str], rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """Rows as JSON texts of a batch each."""
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(dict(zip(columns, row, strict=True)))
        if len(batch) == _BATCH:
            yield encode(batch)
            batch = []
    if batch:
        yield encode(batch)


def encode(value: Any) -> str:
    """JSON text that DuckDB takes: lone surrogates and NUL, which it refuses, become U+FFFD."""
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        text = "\\u0000"
    return msgspec.json.encode(_clean(value)).decode() if "\\u0000" in text else text


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {_clean(k): _clean(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(v) for v in value]
    return value


def fetch(con: duckdb.DuckDBPyConnection, sql: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, some at a time; nothing else may run on the connection until all are read."""
    result = con.execute(sql)
    while batch := result.fetchmany(_BATCH):
        yield from batch
