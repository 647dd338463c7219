"""Which requests are legs of one call.

Rules. A round is an answer that asks for input, or the error -32042; it is open until a retry is linked to it. A retry
goes to the one open round that it fits: equal `requestState`, method, params and keys, as far as they are there. Where
several fit, none is chosen. A state sent again, its round being closed, joins the chain of that round; a state that
nobody issued was altered, and the retry is judged by method, params and keys alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import duckdb
import msgspec

from auditor.analysis.rows import fetch, put

_COLUMNS = {
    "session_id": "VARCHAR", "seq": "BIGINT", "prev_seq": "BIGINT", "root_seq": "BIGINT", "place": "INTEGER",
    "sure": "BOOLEAN", "reused": "BOOLEAN",
}  # fmt: skip
_TURNS = """
WITH calling AS (
    SELECT x.session_id, x.capture_id, x.seq, x.answer_seq, x.method, q.params_hash, q.state, q.input_keys,
        x.result_type = 'input_required' OR (a.input_keys IS NOT NULL AND x.answer_kind = 'result') AS asks,
        x.error_code = -32042 AS urls, a.state AS issued, a.input_keys AS keys
    FROM exchanges x
    JOIN m_lines q ON q.session_id = x.session_id AND q.seq = x.seq
    LEFT JOIN m_lines a ON a.session_id = x.session_id AND a.seq = x.answer_seq
    WHERE x.direction = 'c2s' AND x.method IN ('tools/call', 'prompts/get', 'resources/read')
), urls AS (SELECT DISTINCT session_id, params_hash FROM calling WHERE urls)
SELECT session_id, answer_seq AS stands_at, true AS round, seq, method, params_hash, issued, keys, urls
FROM calling WHERE asks OR urls
UNION ALL
SELECT c.session_id, c.seq, false, c.seq, c.method, c.params_hash, c.state, c.input_keys, false
FROM calling c LEFT JOIN urls u ON u.session_id = c.session_id AND u.params_hash = c.params_hash
WHERE c.state IS NOT NULL OR c.input_keys IS NOT NULL OR u.session_id IS NOT NULL
ORDER BY session_id, stands_at
"""


class Turn(msgspec.Struct):
    """A round (an answer that asks, `at` its place) or a retry (a request). `seq` is the request of either."""

    at: int
    round: bool
    seq: int
    method: str
    params: str | None
    state: str | None
    keys: frozenset[str]
    urls: bool = False


class Link(msgspec.Struct, frozen=True):
    """`seq` goes on with the call that `prev` is a leg of.

    `sure`: the protocol says so. `reused`: the state had been sent before.
    `urls`: `prev` had failed with -32042, so that `seq` is a call of its own that was made because of it."""

    seq: int
    prev: int
    sure: bool
    reused: bool = False
    urls: bool = False


def link(turns: Iterable[Turn]) -> Iterator[Link]:
    """Link the retries of one session; `turns` in recorded order."""
    open_rounds: dict[tuple[str, str | None], list[Turn]] = defaultdict(list)
    closed: dict[tuple[str, str | None], Turn] = {}
    torn: dict[int, int] = {}
    for turn in turns:
        if turn.round:
            open_rounds[_slot(turn)].append(turn)
            continue
        slot = _slot(turn) if turn.state is not None or turn.keys else (turn.method, f"url:{turn.params}")
        rounds = open_rounds[slot]
        fitting = _fitting(turn, rounds)
        if len(fitting) == 1:
            rounds.remove(fitting[0])
            closed[slot] = fitting[0]
            yield Link(turn.seq, fitting[0].seq, turn.state is not None, urls=fitting[0].urls)
        elif fitting:
            _share(fitting, rounds, torn)
        elif turn.state is not None and slot in closed:
            yield Link(turn.seq, closed[slot].seq, True, reused=True)
        elif turn.state is not None and len(altered := _unissued(turn, open_rounds)) == 1:
            open_rounds[_slot(altered[0])].remove(altered[0])
            yield Link(turn.seq, altered[0].seq, False)


def _slot(turn: Turn) -> tuple[str, str | None]:
    if turn.urls:
        return turn.method, f"url:{turn.params}"
    return turn.method, f"state:{turn.state}" if turn.state is not None else f"params:{turn.params}"


def _fitting(turn: Turn, rounds: list[Turn]) -> list[Turn]:
    same = [r for r in rounds if r.params == turn.params]
    exact = [r for r in same if r.keys == turn.keys]
    if exact or turn.state is None:
        return exact or [r for r in same if turn.keys < r.keys or not turn.keys]
    return same or list(rounds)


def _unissued(turn: Turn, open_rounds: dict[tuple[str, str | None], list[Turn]]) -> list[Turn]:
    """The open rounds, whatever their state, that a retry with an unknown state may answer."""
    last = [rounds[-2:] for (method, _), rounds in open_rounds.items() if method == turn.method and rounds]
    return [r for rounds in last for r in rounds if r.params == turn.params and r.keys == turn.keys and not r.urls]


def _share(fitting: list[Turn], rounds: list[Turn], torn: dict[int, int]) -> None:
    """Several rounds fit: nobody can tell which. When as many retries came as there are rounds, all are answered."""
    first = min(r.seq for r in fitting)
    torn[first] = torn.get(first, 0) + 1
    if torn[first] >= len(fitting):
        for r in fitting:
            rounds.remove(r)
        torn.pop(first)


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """Make `m_legs`: one row a request that is a leg of a chain of several, the first leg included."""
    put(con, "m_legs", _COLUMNS, _rows(con))


def _rows(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    sessions: dict[str, list[Turn]] = defaultdict(list)
    for session, at, is_round, seq, method, params, state, keys, urls in fetch(con, _TURNS):
        sessions[session].append(Turn(at, is_round, seq, method, params, state, frozenset(keys or ()), bool(urls)))
    for session, turns in sessions.items():
        roots: dict[int, int] = {}
        sizes: dict[int, int] = {}
        for found in link(turns):
            if found.urls:
                yield session, found.seq, found.prev, found.seq, 0, False, False
                continue
            root = roots.get(found.prev, found.prev)
            if root not in sizes:
                sizes[root] = 1
                yield session, root, None, root, 0, True, False
            roots[found.seq] = root
            yield session, found.seq, found.prev, root, sizes[root], found.sure, found.reused
            sizes[root] += 1
