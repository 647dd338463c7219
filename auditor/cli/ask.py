"""Questions in SQL: the compliance queries, and a statement of the user's own. Both only read."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from auditor import queries
from auditor.cli.health import report_health
from auditor.cli.render import Format, cell, emit, held_output, print_csv, print_json, table
from auditor.errors import InputError, UsageError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

KIND = "compliance"

# what to ask an open database: a statement and its parameters
Question = Callable[["DuckDBPyConnection"], tuple[str, dict[str, Any] | None]]


def list_queries(form: Format) -> None:
    """Print what queries there are and what each answers."""
    found = [_described(q) for q in queries.load(KIND)]
    if form is Format.json:
        print_json(found)
    elif form is Format.csv:
        print_csv(("name", "title", "question", "frameworks", "parameters"), found)
    else:
        table(("name", "question", "parameters"), [(q["name"], q["question"], _names(q["parameters"])) for q in found])


def _described(q: queries.SqlFile) -> dict[str, Any]:
    return {
        "name": q.stem,
        "title": q.header.get("title"),
        "question": q.header.get("question") or q.header.get("title"),
        "frameworks": q.header.get("frameworks"),
        "parameters": [msgspec.to_builtins(p) for p in q.params],
    }


def _names(params: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(p["name"] + ("" if p["default"] is None else f"={p['default']}") for p in params)


def show_query(name: str) -> None:
    """Print a query with its header, as it stands in its file."""
    query = find(name)
    emit((queries.root() / KIND / f"{query.stem}.sql").read_text("utf-8").rstrip())


def find(name: str) -> queries.SqlFile:
    """The query of that name, or the only one that begins with it.

    Raises:
        InputError: when there is none, or several.
    """
    found = queries.load(KIND)
    hits = [q for q in found if q.stem == name] or [q for q in found if q.stem.startswith(name)]
    if len(hits) != 1:
        raise InputError(f"there is no query `{name}`; `auditor query list` names them")
    return hits[0]


def run_query(db: Path, name: str, given: Sequence[str], form: Format) -> None:
    """Run a query with `K=V` parameters; what is not given takes its default.

    Raises:
        UsageError: for a parameter that is unknown, missing, or of the wrong type.
    """
    query = find(name)
    values = _given(query, given)
    _print_result(db, lambda con: (query.sql, _values(con, query, values)), form)


def _given(query: queries.SqlFile, given: Sequence[str]) -> dict[str, str]:
    known = [p.name for p in query.params]
    out: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"`{text}` is no parameter; write it as NAME=VALUE")
        if key not in known:
            raise UsageError(f"the query {query.stem} has no parameter `{key}`; it takes {', '.join(known) or 'none'}")
        out[key] = value
    return out


def _values(con: "DuckDBPyConnection", query: queries.SqlFile, given: Mapping[str, str]) -> dict[str, Any]:
    import duckdb

    out: dict[str, Any] = {}
    for p in query.params:
        if p.name not in given and p.default is None:
            raise UsageError(f"the query {query.stem} needs --param {p.name}=…, {p.description}")
        text = given.get(p.name, p.default)
        source = "$value" if p.name in given else f"({text})"
        try:
            row = con.execute(
                f"SELECT CAST({source} AS {p.type})",
                {"value": text} if p.name in given else None,
            ).fetchone()
        except duckdb.Error as e:
            raise UsageError(f"`{text}` is no {p.type} for the parameter {p.name}, {p.description}") from e
        out[p.name] = row[0] if row else None
    return out


def run_sql(db: Path, text: str, form: Format) -> None:
    """Run one statement of the user's own that only reads.

    Raises:
        UsageError: when it is not exactly one statement, or does more than read.
        InputError: when the database does not take it.
    """
    _print_result(db, lambda con: (_one_reading_statement(con, text), None), form)


def _one_reading_statement(con: "DuckDBPyConnection", text: str) -> str:
    import duckdb

    try:
        statements = con.extract_statements(text)
    except duckdb.Error as e:
        raise InputError(f"not understood as SQL: {_first_line(e)}") from e
    if len(statements) != 1:
        raise UsageError(f"give one statement; this is {len(statements)}")
    kind = statements[0].type
    if kind not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
        raise UsageError(f"only statements that read are run here, as SELECT; this is {kind.name}")
    return statements[0].query


def _print_result(db: Path, question: Question, form: Format) -> None:
    """Ask, and print the answer when the database is closed again."""
    import duckdb

    from auditor.pipeline import reading

    with held_output() if form is not Format.table else nullcontext(), reading(db) as con:
        report_health(con)
        try:
            con.execute(*question(con))
            names = _distinct([d[0] for d in con.description or []])
            found = _rows(con, names, form)
        except duckdb.Error as e:
            raise InputError(f"the database does not take this: {_first_line(e)}") from e
    if form is Format.table:
        table(names, found)


def _rows(con: "DuckDBPyConnection", names: Sequence[str], form: Format) -> list[Any]:
    """Print the rows as data, or give them for a table."""
    if form is Format.table:
        return con.fetchall()
    objects = (dict(zip(names, row, strict=True)) for row in iter(con.fetchone, None))
    if form is Format.json:
        print_json(objects)
    else:
        print_csv(names, objects)
    return []


def _distinct(names: Sequence[str]) -> list[str]:
    """Column names of which none stands twice."""
    out: list[str] = []
    for name in names:
        n, unique = 1, name
        while unique in out:
            n += 1
            unique = f"{name}_{n}"
        out.append(unique)
    return out


def _first_line(e: Exception) -> str:
    return cell(str(e).strip().splitlines()[0]) if str(e).strip() else type(e).__name__
