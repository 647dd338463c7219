"""Handing to inference what the protocol left undecided, and taking back what it says.

Rules. A stretch of a session in which something is open is untangled as a whole; stretches are read one batch after
another, and texts only of calls that were open when somebody was asked. What certain cases teach is kept per capture,
and all that was ever learned of a server speaks for the next session with it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import duckdb

from auditor.analysis.rows import encode, fetch, put
from auditor.analysis.settings import settings
from auditor.analysis.words import payload, template, words
from auditor.attribution.infer import attribute
from auditor.attribution.model import Call, Learned, Prompt

_COLUMNS = {
    "session_id": "VARCHAR", "seq": "BIGINT", "item": "INTEGER", "tier": "VARCHAR", "parent_seq": "BIGINT",
    "confidence": "DOUBLE", "evidence": "VARCHAR[]", "candidates": "STRUCT(seq BIGINT, weight DOUBLE)[]",
}  # fmt: skip
_LEARNED = {"capture_id": "VARCHAR", "server_name": "VARCHAR", "template": "VARCHAR", "tool": "VARCHAR"}
_TEXT = 20_000  # characters of a message that are looked at for words
_BATCH = 2_000  # calls and prompts whose texts are in memory at once

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
SELECT x.session_id, x.capture_id, x.seq, epoch_us(x.ts), x.end_seq, epoch_us(x.end_ts), x.end_cause,
    x.answer_kind = 'error' OR coalesce(x.is_error, false), x.cancelled_seq, coalesce(x.tool, ''), x.answer_seq,
    q.traceparent, x.rpc_id
FROM exchanges x
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
SELECT m.capture_id, m.seq, left(m.raw, {_TEXT})
FROM messages m
JOIN (SELECT unnest(from_json($wanted::JSON, '[{{"c":"VARCHAR","s":"BIGINT"}}]'), recursive := true)) w
    ON w.c = m.capture_id AND w.s = m.seq
"""  # noqa: S608


class _Stretch:
    """Calls and prompts of one session between two moments in which nothing was open."""

    def __init__(self, session: str, capture: str) -> None:
        self.session, self.capture = session, capture
        self.server = ""
        self.calls: list[tuple[Any, ...]] = []
        self.prompts: list[tuple[Any, ...]] = []

    def seqs(self) -> Iterator[int]:
        """The messages whose texts are wanted."""
        for row in self.calls:
            yield from (seq for seq in (row[2], row[10]) if seq is not None)
        for row in self.prompts:
            yield from (seq for seq in (row[2], row[5]) if seq is not None)


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
    stretches = [s for s in _stretches(con) if any(row[16] is None for row in s.prompts)]
    if not stretches:
        return
    known = _known(con, {s.server for s in stretches if s.server})
    threshold = settings().attribution_threshold
    for batch in _batches(stretches):
        texts = _texts(con, batch)
        for s in batch:
            calls = [_call(row, s.capture, texts) for row in s.calls]
            prompts = [_prompt(row, s.capture, texts) for row in s.prompts]
            for found in attribute(calls, prompts, known.get(s.server), threshold):
                candidates = [{"seq": seq, "weight": weight} for seq, weight in found.candidates]
                evidence = list(found.evidence)
                yield s.session, found.seq, found.item, found.tier, found.parent, found.confidence, evidence, candidates


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
    rows = sorted([(row[2], 0, row) for row in calls] + [(row[2], 1, row) for row in prompts], key=lambda r: r[:2])
    stretch, until = _Stretch(rows[0][2][0], rows[0][2][1]), -1.0
    for seq, kind, row in rows:
        if seq > until and stretch.prompts:
            yield stretch
            stretch = _Stretch(row[0], row[1])
        end = row[4] if kind == 0 else row[7]
        if kind == 0:
            end = None if row[6] == "cancelled" else end
            stretch.calls.append(row)
        else:
            stretch.prompts.append(row)
            stretch.server = row[17] or ""
        until = max(until, float("inf") if end is None else end)
    yield stretch


def _batches(stretches: list[_Stretch]) -> Iterator[list[_Stretch]]:
    batch: list[_Stretch] = []
    size = 0
    for s in stretches:
        batch.append(s)
        size += len(s.calls) + len(s.prompts)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _texts(con: duckdb.DuckDBPyConnection, batch: list[_Stretch]) -> dict[tuple[str, int], str | None]:
    wanted = [{"c": s.capture, "s": seq} for s in batch for seq in set(s.seqs())]
    rows = con.execute(_TEXTS, {"wanted": encode(wanted)}).fetchall()
    return {(capture, seq): raw for capture, seq, raw in rows}


def _call(row: tuple[Any, ...], capture: str, texts: dict[tuple[str, int], str | None]) -> Call:
    _, _, seq, ts, end_seq, end, cause, failed, cancelled, tool, answer, trace, rpc_id = row
    answered = texts.get((capture, answer)) if answer is not None else None
    return Call(
        seq, ts, end_seq, end, "error" if cause == "answer" and failed else cause, cancelled, tool,
        payload(texts.get((capture, seq))), words(answered), answered if failed else None, trace=trace, rpc_id=rpc_id,
    )  # fmt: skip


def _prompt(row: tuple[Any, ...], capture: str, texts: dict[tuple[str, int], str | None]) -> Prompt:
    _, _, seq, item, ts, answer, answered, closed, end, cause, cancelled, reason, action, *rest = row
    message, schema, trace, fixed, _ = rest
    over = cause in ("answer", "cancelled")
    reply = texts.get((capture, answer)) if answer is not None else None
    return Prompt(
        seq, item, ts, answer, answered, closed if over else None, end if over else None, cancelled, reason, action,
        payload(texts.get((capture, seq))), payload(reply), template(message, schema), trace, fixed,
    )  # fmt: skip
