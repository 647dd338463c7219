"""From spool files into the base tables. One statement a table; DuckDB reads the rows with both cores."""

from collections.abc import Sequence
from typing import Any, get_args

import duckdb
import msgspec

from auditor.journal.records import Direction, Start
from auditor.wire.envelope import Kind

_ENV = (
    "STRUCT(kind VARCHAR, method VARCHAR, id VARCHAR, id_type VARCHAR, tool VARCHAR, protocol VARCHAR, token VARCHAR,"
    " token_type VARCHAR, task VARCHAR, ref VARCHAR, ref_type VARCHAR, reason VARCHAR, code BIGINT, is_error BOOLEAN,"
    " result_type VARCHAR, state VARCHAR, params VARCHAR, keys VARCHAR[], action VARCHAR, elicitation VARCHAR,"
    " trace VARCHAR, problems VARCHAR[])"
)
_HTTP = (
    "STRUCT(ex BIGINT, conn BIGINT, method VARCHAR, path VARCHAR, status INTEGER, ctype VARCHAR, accept VARCHAR,"
    " session VARCHAR, proto VARCHAR, stream VARCHAR, sse_open BOOLEAN, sse_event VARCHAR, sse_id VARCHAR,"
    " sse_close BOOLEAN, truncated BOOLEAN, last_event_id VARCHAR, mcp_method VARCHAR, mcp_name VARCHAR,"
    " bytes BIGINT, error VARCHAR)"
)
_TS = "make_timestamp(ts_ns // 1000)"


def _one_of(column: str, values: Sequence[str]) -> str:
    """SQL that lets nothing pass but these words."""
    words = ", ".join(f"'{word}'" for word in values)
    return f"CASE WHEN {column} IN ({words}) THEN {column} ELSE error('{column} is no word of the journal') END"


_PLACED = {"c": "VARCHAR", "seq": "BIGINT", "ts_ns": "BIGINT", "dir": "VARCHAR"}

_COLUMNS: dict[str, dict[str, str]] = {
    "messages": _PLACED
    | {"h": "VARCHAR", "bytes": "BIGINT", "env": _ENV, "ch": "BIGINT", "raw": "VARCHAR", "b64": "VARCHAR"}
    | {"batch": "INTEGER", "lenient": "BOOLEAN", "duplicates": "BOOLEAN", "error": "VARCHAR"}
    | {"http": "STRUCT(session VARCHAR, stream VARCHAR, sse_id VARCHAR, last_event_id VARCHAR)"},
    "events": _PLACED
    | {"k": "VARCHAR", "ev": "VARCHAR", "rc": "INTEGER", "signal": "INTEGER", "text": "VARCHAR"}
    | {"lost_bytes": "BIGINT", "lost_messages": "BIGINT"},
    "oddities": _PLACED | {"ch": "BIGINT", "why": "VARCHAR", "bytes": "BIGINT", "raw": "VARCHAR", "b64": "VARCHAR"},
    "redactions": {"c": "VARCHAR", "seq": "BIGINT", "dir": "VARCHAR", "place": "VARCHAR", "kind": "VARCHAR"}
    | {"fp": "VARCHAR"},
    "http": _PLACED | {"http": _HTTP},
}

_SELECT = {
    "messages": f"""INSERT INTO messages BY NAME SELECT c AS capture_id, seq, {_TS} AS ts,
        {_one_of("dir", get_args(Direction))} AS direction, coalesce(ch, 0) AS channel, batch,
        {_one_of("env.kind", get_args(Kind))} AS kind, env.method AS method, env.id AS rpc_id,
        env.id_type AS rpc_id_type, env.tool AS tool, env.protocol AS protocol, env.token AS token,
        env.token_type AS token_type, env.task AS task_id, env.ref AS ref, env.ref_type AS ref_type,
        env.reason AS reason, env.code AS error_code, env.is_error AS is_error, env.result_type AS result_type,
        env.state AS state, env.params AS params_hash, env.keys AS input_keys, env.action AS action,
        env.elicitation AS elicitation_id, env.trace AS traceparent, coalesce(env.problems, []) AS problems,
        coalesce(lenient, false) AS lenient, coalesce(duplicates, false) AS duplicate_keys,
        error AS redaction_error, bytes, raw, b64 AS raw_base64, http.session AS session_header,
        http.stream AS stream, http.sse_id AS sse_id, http.last_event_id AS last_event_id, h AS hash""",
    "events": f"""INSERT INTO events BY NAME SELECT c AS capture_id, seq, {_TS} AS ts,
        CASE k WHEN 'ev' THEN ev ELSE k END AS event, dir AS direction, rc, signal, text,
        lost_bytes, lost_messages""",
    "oddities": f"""INSERT INTO oddities BY NAME SELECT c AS capture_id, seq, {_TS} AS ts, dir AS direction,
        coalesce(ch, 0) AS channel, why, bytes, raw, b64 AS raw_base64""",
    "redactions": """INSERT INTO redactions BY NAME SELECT c AS capture_id, seq, dir AS direction, place, kind,
        fp AS fingerprint""",
    "http": f"""INSERT INTO http_facts BY NAME SELECT c AS capture_id, seq, {_TS} AS ts, dir AS direction,
        coalesce(http.ex, 0) AS exchange, http.conn AS connection, http.method AS http_method, http.path AS path,
        http.status AS status, http.ctype AS content_type, http.accept AS accept,
        http.session AS session_header, http.proto AS protocol_header, http.stream AS stream,
        http.sse_open AS sse_open, http.sse_event AS sse_event, http.sse_id AS sse_id,
        http.sse_close AS sse_close, http.truncated AS truncated, http.last_event_id AS last_event_id,
        http.mcp_method AS mcp_method, http.mcp_name AS mcp_name, http.bytes AS bytes, http.error AS error""",
}


def load_rows(con: duckdb.DuckDBPyConnection, table: str, files: Sequence[str], widest: int) -> None:
    """Append the rows of spool files to their table; `widest` is the longest row in bytes."""
    columns = ", ".join(f"{_quoted(k)}: {_quoted(v)}" for k, v in _COLUMNS[table].items())
    listed = ", ".join(_quoted(f) for f in files)
    room = max(1 << 20, widest + 1024)  # DuckDB reads twice this at a time, on each core
    con.execute(
        f"{_SELECT[table]} FROM read_ndjson([{listed}], columns = {{{columns}}},"
        f" maximum_object_size = {room}, compression = 'uncompressed')"
    )


_CAPTURE = {
    "capture_id": "VARCHAR", "transport": "VARCHAR", "name": "VARCHAR", "cmd": "VARCHAR[]",
    "env": "MAP(VARCHAR, VARCHAR)", "cwd": "VARCHAR", "upstream": "VARCHAR", "pid": "BIGINT", "ts_us": "BIGINT",
    "auditor_version": "VARCHAR", "content_level": "VARCHAR", "policy_hash": "VARCHAR", "key_id": "VARCHAR",
    "source": "VARCHAR", "inferred_directions": "BOOLEAN",
}  # fmt: skip


def capture_row(capture: str, start: Start) -> dict[str, Any]:
    """A capture as its start record describes it."""
    return {
        "capture_id": capture, "transport": start.transport, "name": start.name, "cmd": start.cmd, "env": start.env,
        "cwd": start.cwd, "upstream": start.upstream, "pid": start.pid, "ts_us": start.ts_ns // 1000,
        "auditor_version": start.auditor, "content_level": start.content, "policy_hash": start.policy,
        "key_id": start.key_id, "source": start.source, "inferred_directions": start.inferred_directions,
    }  # fmt: skip


def load_captures(con: duckdb.DuckDBPyConnection, rows: Sequence[dict[str, Any]], others: Sequence[str]) -> None:
    """Add captures, and those of `others` that have none: of them only later records are known."""
    known = {r[0] for r in con.execute("SELECT capture_id FROM captures").fetchall()}
    new = [row for row in rows if row["capture_id"] not in known]
    new += [_lost_start(con, capture) for capture in others if capture not in known]
    if not new:
        return
    fields = ", ".join(f'"{name}": "{kind}"' for name, kind in _CAPTURE.items())
    con.execute(
        "INSERT INTO captures BY NAME SELECT * EXCLUDE (ts_us), make_timestamp(ts_us) AS started_at, false AS sealed,"  # noqa: S608
        " 0 AS lost_bytes, 0 AS lost_messages"
        f" FROM (SELECT unnest(from_json($rows::JSON, '[{{{fields}}}]'), recursive := true))",
        {"rows": msgspec.json.encode(new).decode()},
    )


def _lost_start(con: duckdb.DuckDBPyConnection, capture: str) -> dict[str, Any]:
    first = con.execute(
        "SELECT epoch_us(min(ts)) FROM (SELECT capture_id, ts FROM messages UNION ALL SELECT capture_id, ts FROM events"
        " UNION ALL SELECT capture_id, ts FROM oddities) WHERE capture_id = ?",
        [capture],
    ).fetchone()
    return dict.fromkeys(_CAPTURE) | {
        "capture_id": capture, "transport": "unknown", "content_level": "full", "inferred_directions": False,
        "ts_us": first[0] if first else 0,
    }  # fmt: skip


def finish_captures(con: duckdb.DuckDBPyConnection, grown: Sequence[str]) -> None:
    """Bring what a capture's events say into its row: end, exit, losses."""
    con.execute(
        """UPDATE captures SET sealed = e.sealed, ended_at = e.ended_at, exit_code = e.rc, exit_signal = e.signal,
            lost_bytes = e.lost_bytes, lost_messages = e.lost_messages
        FROM (SELECT capture_id, bool_or(event = 'seal') AS sealed, max(ts) FILTER (event = 'seal') AS ended_at,
                arg_max(rc, seq) FILTER (event = 'exit') AS rc, arg_max(signal, seq) FILTER (event = 'exit') AS signal,
                coalesce(sum(lost_bytes) FILTER (event = 'gap'), 0)::BIGINT AS lost_bytes,
                CASE WHEN bool_or(event = 'gap' AND lost_messages IS NULL) THEN NULL
                    ELSE coalesce(sum(lost_messages) FILTER (event = 'gap'), 0)::BIGINT END AS lost_messages
            FROM events WHERE capture_id IN (SELECT unnest($grown)) GROUP BY capture_id) e
        WHERE captures.capture_id = e.capture_id""",
        {"grown": list(grown)},
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
