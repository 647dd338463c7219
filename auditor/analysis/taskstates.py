"""What messages say of tasks: status, time to live, and whether they carry the result."""

from typing import Any

import duckdb

from auditor.analysis.handshakes import message_object
from auditor.analysis.rows import fetch, put

_COLUMNS = {
    "session_id": "VARCHAR", "seq": "BIGINT", "ts": "TIMESTAMP", "task_id": "VARCHAR", "status": "VARCHAR",
    "ttl_ms": "BIGINT", "has_result": "BOOLEAN",
}  # fmt: skip
_NAMING = """
SELECT l.session_id, l.seq, l.ts, l.task_id, m.raw
FROM m_lines l
JOIN m_texts m ON m.capture_id = l.capture_id AND m.seq = l.seq
WHERE l.task_id IS NOT NULL AND l.kind IN ('result', 'notification')
"""


def fill(con: duckdb.DuckDBPyConnection) -> None:
    """Make `m_task_states`: one row a message that says how a task stands."""
    put(con, "m_task_states", _COLUMNS, (
        (session, seq, str(ts), task, *_state(message_object(raw)))
        for session, seq, ts, task, raw in fetch(con, _NAMING)
    ))  # fmt: skip


def _state(message: dict[str, Any]) -> tuple[str | None, int | None, bool]:
    holder = message.get("result") if "result" in message else message.get("params")
    holder = holder if isinstance(holder, dict) else {}
    task = holder.get("task")
    state = task if isinstance(task, dict) else holder
    status, ttl = state.get("status"), state.get("ttl", state.get("ttlMs"))
    known = isinstance(ttl, int) and not isinstance(ttl, bool) and abs(ttl) < 2**62
    return status if isinstance(status, str) else None, ttl if known else None, "result" in holder
