"""Rows as a table for a person, as a JSON array, or as CSV.

Text of the traffic is data: in tables it is never read as markup, and what a terminal would obey is shown escaped. In
CSV a text that a spreadsheet would run as a formula gets a `'` before it.
"""

import csv
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from datetime import datetime
from enum import StrEnum
from io import TextIOWrapper
from tempfile import SpooledTemporaryFile
from typing import Any

from auditor.cli.diagnostics import visible
from auditor.cli.values import plain, to_json

HELD_BYTES = 64 << 20
MAX_CELL = 400  # characters of one cell in a table; JSON and CSV have the whole
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Format(StrEnum):
    """How rows are printed."""

    table = "table"
    json = "json"
    csv = "csv"


def cell(value: Any) -> str:
    """One value on one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3g}"
    text = value if isinstance(value, str) else to_json(value) if isinstance(value, list | dict) else str(plain(value))
    text = visible(" ".join(text.split()))
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"


def console() -> Any:
    """A rich console on stdout that interprets nothing; as wide as it takes when no terminal reads it."""
    from rich.console import Console

    piped = not sys.stdout.isatty() and not os.environ.get("COLUMNS", "").isdigit()
    return Console(width=10_000 if piped else None, markup=False, highlight=False, emoji=False, soft_wrap=False)


def table(headings: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str | None = None) -> None:
    """Print a table; the last column takes what room is left."""
    from rich.table import Table
    from rich.text import Text

    out = Table(box=None, pad_edge=False, title=title, title_justify="left", header_style="bold")
    for i, heading in enumerate(headings):
        last = i == len(headings) - 1
        out.add_column(heading, overflow="fold" if last else "ellipsis", no_wrap=not last, ratio=None)
    for row in rows:
        out.add_row(*[Text(cell(v), style=_style(v)) for v in row])
    console().print(out)


_STYLES = {
    **dict.fromkeys(("accept", "ok", "completed", "explicit", "deduced"), "green"),
    **dict.fromkeys(("decline", "cancel", "warning", "inferred", "tool_error", "policy"), "yellow"),
    **dict.fromkeys(("timeout", "violation", "error", "client_error", "unanswered", "crash"), "red"),
    **dict.fromkeys(("ambiguous", "none", "pending", "info"), "dim"),
}


def _style(value: Any) -> str:
    return _STYLES.get(value, "") if isinstance(value, str) else ""


def emit(text: str) -> None:
    """Data on stdout as it is, without regard to a terminal's width."""
    sys.stdout.write(text + "\n")


@contextmanager
def held_output() -> Iterator[None]:
    """Keep what is printed until the block is over, and drop it when the block fails.

    A reader that takes its time, as a pager does, must not keep the database open. Up to 64 MB are kept in memory, more
    in a file without a name.
    """
    stdout = sys.stdout
    with SpooledTemporaryFile(HELD_BYTES) as kept:
        text = TextIOWrapper(kept, encoding="utf-8", newline="", write_through=True)
        with redirect_stdout(text):
            yield
        text.flush()
        kept.seek(0)
        for piece in iter(lambda: text.read(1 << 20), ""):
            stdout.write(piece)
        text.detach()


def print_json(rows: Iterable[Any]) -> None:
    """A JSON array, one element a line, written as the rows come."""
    separator = "[\n"
    for row in rows:
        sys.stdout.write(separator + to_json(row))
        separator = ",\n"
    sys.stdout.write("[]\n" if separator == "[\n" else "\n]\n")


def print_csv(headings: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """CSV with a heading line; a dotted heading names a value inside an object, lists and objects are JSON."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(headings)
    for row in rows:
        writer.writerow([_csv_value(_dig(row, heading)) for heading in headings])


def _dig(row: Mapping[str, Any], heading: str) -> Any:
    if heading in row:
        return row[heading]
    value: Any = row
    for key in heading.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _csv_value(value: Any) -> Any:
    if isinstance(value, list | dict):
        return to_json(value)
    if isinstance(value, str):
        text = visible(value)
        return f"'{text}" if text.startswith(_FORMULA) else text
    return plain(value) if isinstance(value, datetime) else value
