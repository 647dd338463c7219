"""Rows between Python and DuckDB, many at a time and without a file."""

from collections.abc import Iterable, Iterator
from typing import Any

import duckdb
import msgspec

_encode = msgspec.json.Encoder().encode
_BATCH = 20_000  # rows a round: a few MB of JSON


def put(con: duckdb.DuckDBPyConnection, table: str, columns: dict[str, str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Make the temporary table `table` anew from rows; `columns` maps names to DuckDB types."""
    typed = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
    con.execute(f"CREATE OR REPLACE TEMP TABLE {table} ({typed})")
    insert = f"INSERT INTO {table} BY NAME {unpacked(columns)}"
    for text in list(_encoded(columns, rows)):  # `rows` may still be reading from this connection
        con.execute(insert, {"rows": text})


def unpacked(columns: dict[str, str]) -> str:
    """SELECT of the rows in `$rows`: an object a line, which DuckDB reads many times faster than one array of them."""
    shape = "{" + ", ".join(f'"{name}": "{kind}"' for name, kind in columns.items()) + "}"
    return f"SELECT unnest(from_json(line, '{shape}')) FROM (SELECT unnest(string_split($rows, chr(10))) AS line)"  # noqa: S608


def _encoded(columns: dict[str, str], rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """Rows as lines of JSON, a batch in each text."""
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(dict(zip(columns, row, strict=True)))
        if len(batch) == _BATCH:
            yield lines(batch)
            batch = []
    if batch:
        yield lines(batch)


def lines(values: Iterable[Any]) -> str:
    """Values as JSON that DuckDB takes, one a line."""
    return "\n".join(map(encode, values))


def encode(value: Any) -> str:
    """JSON text that DuckDB takes: lone surrogates and NUL, which it refuses, become U+FFFD."""
    try:
        text = _encode(value).decode()
    except UnicodeEncodeError:
        text = "\\u0000"
    return _encode(_clean(value)).decode() if "\\u0000" in text else text


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
