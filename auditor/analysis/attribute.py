"""Handing to inference what the protocol left undecided, and taking back what it says.

Rules. Of a session, those stretches are untangled in which somebody was asked while several calls were open; texts are
read one after another, and only of these. What certain cases teach is kept per capture, and all that was ever learned
of a server speaks for the next session with it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby
from typing import Any

import duckdb

from auditor.analysis import texts
from auditor.analysis.rows import fetch, put
from auditor.analysis.settings import settings
from auditor.analysis.untangling import WORK, Item, Job, Tangle
from auditor.analysis.words import template
from auditor.attribution.model import Learned
from auditor.crew import Outcomes

_COLUMNS = {
    "session_id": "VARCHAR", "seq": "BIGINT", "item": "INTEGER", "tier": "VARCHAR", "parent_seq": "BIGINT",
    "confidence": "DOUBLE", "evidence": "VARCHAR[]", "candidates": "STRUCT(seq BIGINT, weight DOUBLE)[]",
}  # fmt: skip
_WANTED = {"place": "BIGINT", "capture_id": "VARCHAR", "seq": "BIGINT"}
_LEARNED = {"capture_id": "VARCHAR", "server_name": "VARCHAR", "template": "VARCHAR", "tool": "VARCHAR"}
ALONE_ROWS = 5_000  # calls and prompts; fewer are untangled in this process
_JOB_ROWS = 1_000
_TEXT = 20_000  # characters of a message that are looked at for words

_CERTAIN = """
SELECT a.capture_id, s.server_name, a.message, a.schema::VARCHAR, x.tool
FROM m_asked a
JOIN m_certain c ON c.session_id = a.session_id AND c.seq = a.seq AND c.item = a.item
JOIN sessions s ON s.session_id = a.session_id
JOIN exchanges x ON x.capture_id = a.capture_id AND x.seq = c.parent_seq
WHERE c.tier IN ('explicit', 'deduced') AND a.kind = 'elicitation' AND x.tool IS NOT NULL AND s.server_name IS NOT NULL
"""
_UNDECIDED = "SELECT DISTINCT session_id FROM m_certain WHERE tier IS NULL"
_CALLS = f"""
WITH able AS (
    SELECT x.* EXCLUDE (end_seq, end_ts, end_cause),
        CASE WHEN t.task_id IS NULL THEN x.end_seq ELSE t.end_seq END AS end_seq,
        CASE WHEN t.task_id IS NULL THEN x.end_ts ELSE t.ended_at END AS end_ts,
        CASE WHEN t.task_id IS NULL THEN x.end_cause ELSE 'task' END AS end_cause
    FROM exchanges x
    LEFT JOIN tasks t ON t.session_id = x.session_id AND t.call_seq = x.seq AND x.end_cause = 'answer'
)
SELECT x.session_id, x.capture_id, x.seq, epoch_us(x.ts), x.end_seq, epoch_us(x.end_ts), x.end_cause,
    x.answer_kind = 'error' OR coalesce(x.is_error, false), x.cancelled_seq, coalesce(x.tool, ''), x.answer_seq,
    q.traceparent, x.rpc_id
FROM able x
JOIN m_lines q ON q.capture_id = x.capture_id AND q.seq = x.seq
ASOF JOIN (SELECT DISTINCT session_id, seq AS asked_seq FROM m_asked WHERE carriage = 'request') p
    ON p.session_id = x.session_id AND x.seq <= p.asked_seq
WHERE x.direction = 'c2s' AND x.method IN ('tools/call', 'prompts/get', 'resources/read')
    AND x.session_id IN ({_UNDECIDED})
    AND (x.end_seq IS NULL OR x.end_seq >= p.asked_seq OR x.end_cause = 'cancelled')
ORDER BY x.session_id, x.seq
"""  # noqa: S608
_PROMPTS = f"""
SELECT p.session_id, p.capture_id, p.seq, p.item, epoch_us(p.ts), x.answer_seq, epoch_us(x.answer_ts), x.end_seq,
    epoch_us(x.end_ts), x.end_cause, x.cancelled_seq, x.cancel_reason, r.action, p.message, p.schema::VARCHAR, p.trace,
    c.parent_seq, s.server_name
FROM m_asked p
JOIN m_certain c ON c.session_id = p.session_id AND c.seq = p.seq AND c.item = p.item
JOIN sessions s ON s.session_id = p.session_id
LEFT JOIN exchanges x ON x.capture_id = p.capture_id AND x.seq = p.seq
LEFT JOIN m_lines r ON r.capture_id = p.capture_id AND r.seq = x.answer_seq
WHERE p.carriage = 'request' AND p.session_id IN ({_UNDECIDED})
ORDER BY p.session_id, p.seq
"""  # noqa: S608
_TEXTS = f"""
SELECT w.place, left(m.raw, {_TEXT})
FROM m_wanted w
JOIN m_texts m ON m.capture_id = w.capture_id AND m.seq = w.seq
ORDER BY w.place
"""  # noqa: S608


class _Stretch:
    """Calls and prompts of one session between two moments in which nothing was open, in recorded order."""

    def __init__(self, session: str, capture: str) -> None:
        self.session, self.capture = session, capture
        self.server = ""
        self.rows: list[tuple[bool, tuple[Any, ...]]] = []  # whether it is a prompt, and its row
        self.undecided = False


class _Texts:
    """The texts of the messages in `m_wanted`, one after another."""

    def __init__(self, rows: Iterator[tuple[Any, ...]]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def at(self, place: int) -> str | None:
        """The text at a place that is not before the last one."""
        while self._next is not None and self._next[0] < place:
            self._next = next(self._rows, None)
        return self._next[1] if self._next is not None and self._next[0] == place else None


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """Make `m_attributed`, one row a prompt that was undecided; keep what certain cases taught in `learned`."""
    _learn(con)
    put(con, "m_attributed", _COLUMNS, _rows(con))


def _learn(con: duckdb.DuckDBPyConnection) -> None:
    """Replace what the captures in scope have taught."""
    put(con, "m_learned", _LEARNED, (
        (capture, server, template(message, schema), tool)
        for capture, server, message, schema, tool in fetch(con, _CERTAIN)
    ))  # fmt: skip
    con.execute("DELETE FROM main.learned WHERE capture_id IN (SELECT capture_id FROM dirty)")
    con.execute("INSERT INTO main.learned BY NAME SELECT *, count(*) AS times FROM m_learned GROUP BY ALL")


def _known(con: duckdb.DuckDBPyConnection, servers: Iterable[str]) -> dict[str, Learned]:
    """What was ever learned of these servers."""
    seen: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    rows = con.execute(
        "SELECT server_name, template, tool, sum(times)::BIGINT FROM main.learned"
        " WHERE list_contains($servers::VARCHAR[], server_name) GROUP BY ALL",
        {"servers": sorted(servers)},
    ).fetchall()
    for server, asked, tool, times in rows:
        seen[server][asked][tool] = times
    return {server: Learned({t: dict(tools) for t, tools in templates.items()}) for server, templates in seen.items()}


def _rows(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    stretches = [s for s in _stretches(con) if s.undecided]
    if not stretches:
        return
    known = _known(con, {s.server for s in stretches if s.server})
    put(con, "m_wanted", _WANTED, _wanted(stretches))
    texts.add(con, "SELECT capture_id, seq FROM m_wanted")
    jobs = _jobs(stretches, _Texts(fetch(con, _TEXTS)), known)
    alone = sum(len(s.rows) for s in stretches) < ALONE_ROWS
    with closing(Outcomes(WORK, jobs, alone=alone)) as outcomes:
        for said in outcomes:
            yield from said


def _jobs(stretches: list[_Stretch], said: _Texts, known: dict[str, Learned]) -> Iterator[Job]:
    """Sessions with their texts, some in a job; a session is never parted."""
    given = settings()
    grace_us = round(given.cancel_grace_s * 1e6)
    tangles: list[Tangle] = []
    place = rows = 0
    for session, parts in groupby(stretches, key=lambda s: s.session):
        items, server = [], ""
        for asked, row in (row for part in parts for row in part.rows):
            items.append(Item(asked, row, said.at(place), said.at(place + 1)))
            server = server or (asked and row[17]) or ""
            place += 2
        tangles.append(Tangle(session, server, items))
        rows += len(items)
        if rows >= _JOB_ROWS:
            yield _job(tangles, known, given.attribution_threshold, grace_us)
            tangles, rows = [], 0
    if tangles:
        yield _job(tangles, known, given.attribution_threshold, grace_us)


def _job(tangles: list[Tangle], known: dict[str, Learned], threshold: float, grace_us: int) -> Job:
    servers = {t.server for t in tangles}
    return Job(tangles, {s: learned for s, learned in known.items() if s in servers}, threshold, grace_us)


def _stretches(con: duckdb.DuckDBPyConnection) -> list[_Stretch]:
    """All sessions with undecided prompts, cut where nothing is open."""
    calls: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in fetch(con, _CALLS):
        calls[row[0]].append(row)
    prompts: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in fetch(con, _PROMPTS):
        prompts[row[0]].append(row)
    return [s for session, asked in prompts.items() for s in _cut(calls.pop(session, []), asked)]


def _cut(calls: list[tuple[Any, ...]], prompts: list[tuple[Any, ...]]) -> Iterator[_Stretch]:
    rows = sorted([(row[2], False, row) for row in calls] + [(row[2], True, row) for row in prompts], key=_order)
    stretch, until = _Stretch(rows[0][2][0], rows[0][2][1]), -1.0
    asked = False
    for seq, prompt, row in rows:
        if seq > until and asked:
            yield stretch
            stretch, asked = _Stretch(row[0], row[1]), False
        end = row[7] if prompt else row[10] if row[6] == "cancelled" else row[4]
        stretch.rows.append((prompt, row))
        if prompt:
            asked, stretch.server = True, row[17] or ""
            stretch.undecided |= row[16] is None
        until = max(until, float("inf") if end is None else end)
    yield stretch


def _order(row: tuple[int, bool, tuple[Any, ...]]) -> tuple[int, bool, int]:
    return row[0], row[1], row[2][3] if row[1] else 0


def _wanted(stretches: list[_Stretch]) -> Iterator[tuple[Any, ...]]:
    """Where the texts of calls and prompts and of their answers are, two places each."""
    place = 0
    for s in stretches:
        for asked, row in s.rows:
            answer = row[5] if asked else row[10]
            yield place, s.capture, row[2]
            if answer is not None:
                yield place + 1, s.capture, answer
            place += 2
