"""Tables in texts: Markdown, boxes of a database's shell, columns of blanks, CSV, and rows that SQL inserts."""

import re
from collections.abc import Iterator

from auditor.redact.keys import Strength, classify
from auditor.redact.labels import fits
from auditor.redact.spans import Finder, Span
from auditor.redact.values import code, placeholder

_LONGEST_HEAD, _LONGEST_ROW, _MOST_ROWS = 400, 2000, 300
_RULE = re.compile(r"[ \t]*[|+]?(?:[ :]*-{2,}[ :]*[|+]?){1,64}[ \t]*")
_COLUMNS = re.compile(r"\S+(?: \S+)*")
_INSERT = re.compile(r"insert\s+into\s+[\w.\"`\[\]]{1,100}\s*\(([^()]{1,600})\)\s*values\s*", re.IGNORECASE)
_TUPLE = re.compile(r"\s*,?\s*\(")
_ITEM = re.compile(r"\s*(?:[NnEe]?'((?:[^'\\\n]|\\.|''){0,1000})'|\"([^\"\n]{0,1000})\"|[^,()'\"]{0,200})\s*(,|\))")

Cell = tuple[int, int]


def table(text: str, start: int, end: int) -> list[Span] | None:
    """The secrets of the table in whose head a name stands from `start` to `end`; found by the first such name only."""
    at = text.rfind("\n", max(0, start - _LONGEST_HEAD), start) + 1
    stop = text.find("\n", end, at + _LONGEST_HEAD)
    if stop < 0 or (at == 0 and start > _LONGEST_HEAD):
        return None
    line = text[at:stop]
    for sign in "|\t,;":
        if sign in line:
            return _ruled(text, at, line, sign)
    return _aligned(text, at, line) if "  " in line else None


def _cells(line: str, at: int, sign: str) -> list[Cell]:
    out, begin = [], 0
    for piece in line.split(sign):
        left = len(piece) - len(piece.lstrip(" \"'`*\r"))
        inner = piece.strip(" \"'`*\r")
        out.append((at + begin + left, at + begin + left + len(inner)))
        begin += len(piece) + 1
    return out


def _ruled(text: str, at: int, line: str, sign: str) -> list[Span] | None:
    heads = [text[a:b] for a, b in _cells(line, at, sign)]
    said = [classify(h) if len(h) <= 40 else None for h in heads]
    if not any(said) or len(heads) < 2:
        return None
    rows = _rows(text, at + len(line) + 1)
    first = next(rows, None)
    ruled = first is not None and _RULE.fullmatch(first[1]) is not None
    if first is None or (sign == "|" and not ruled) or (sign != "|" and not all(_NAME.fullmatch(h) for h in heads)):
        return None
    found: list[Span] = []
    for begin, row in [] if ruled else [first]:
        found += _row(text, _cells(row, begin, sign), said, strict=True)
    for begin, row in rows:
        if _RULE.fullmatch(row):
            continue
        cells = _cells(row, begin, sign)
        if len(cells) != len(heads) or _names_again(text, cells, said):
            break
        found += _row(text, cells, said, strict=not ruled)
    return found


_NAME = re.compile(r"[A-Za-z][\w .-]{0,39}")


def _rows(text: str, at: int) -> Iterator[tuple[int, str]]:
    for _ in range(_MOST_ROWS):
        stop = text.find("\n", at, at + _LONGEST_ROW)
        row = text[at:stop] if stop >= 0 else text[at : at + _LONGEST_ROW]
        if not row.strip():
            return
        yield at, row
        if stop < 0:
            return
        at = stop + 1


def _names_again(text: str, cells: list[Cell], said: list[Strength | None]) -> bool:
    """Whether a row is the head of another table: names, where secrets should be."""
    return any(s is not None and b - a <= 40 and classify(text[a:b]) for (a, b), s in zip(cells, said, strict=True))


def _row(text: str, cells: list[Cell], said: list[Strength | None], *, strict: bool) -> list[Span]:
    found = []
    for (a, b), strength in zip(cells, said, strict=False):
        if strength is not None and _holds(text[a:b], strength, strict=strict):
            found.append(Span(a, b, "password" if strength == "strong" else "token", strength == "number"))
    return found


def _holds(value: str, strength: Strength, *, strict: bool) -> bool:
    if len(value) < 3 or placeholder(value) or code(value) or "[REDACTED:" in value:
        return False
    if strength == "strong" and not strict:
        return " " not in value
    return fits(value, strength, led=True)


def _aligned(text: str, at: int, line: str) -> list[Span] | None:
    heads = [(m.start(), classify(m[0]) if len(m[0]) <= 40 else None) for m in _COLUMNS.finditer(line)]
    if len(heads) < 2 or not any(s for _, s in heads):
        return None
    found: list[Span] = []
    shouted = line.isupper()
    for n, (begin, row) in enumerate(_rows(text, at + len(line) + 1)):
        if _RULE.fullmatch(row.replace("=", "-").replace(" ", "")):
            shouted = True
            continue
        if not shouted and n == 0:
            return None
        cells = {m.start(): m for m in _COLUMNS.finditer(row)}
        if any(m is not None and s and classify(m[0][:41]) for m, s in ((cells.get(c), s) for c, s in heads)):
            break
        for column, strength in heads:
            m = cells.get(column)
            if strength is not None and m is not None and _holds(m[0], strength, strict=True):
                found.append(Span(begin + m.start(), begin + m.end(), "password", strength == "number"))
    return found


def _inserted(text: str, start: int, _end: int) -> list[Span] | None:
    m = _INSERT.match(text, start)
    if m is None:
        return None
    said = [classify(name.strip(' "`[]\n')) for name in m[1].split(",")]
    if not any(said):
        return None
    found: list[Span] = []
    at = m.end()
    for _ in range(_MOST_ROWS):
        opened = _TUPLE.match(text, at)
        if opened is None:
            break
        at = opened.end()
        for strength in said:
            item = _ITEM.match(text, at)
            if item is None:
                return found
            group = 1 if item[1] is not None else 2
            value = item[group]
            if strength is not None and value and len(value) >= 3 and not placeholder(value):
                found.append(Span(item.start(group), item.end(group), "password", strength == "number"))
            at = item.end()
            if item[3] == ")":
                break
    return found


TABLES: tuple[tuple[str, Finder], ...] = (("insert into ", _inserted),)
