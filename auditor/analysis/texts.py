"""The texts that `m_texts` still lacks."""

import duckdb

from auditor.analysis.scope import current

TABLE = "m_texts"
_ASKED = "SELECT capture_id, root_seq AS seq FROM elicitations WHERE root_seq IS NOT NULL"


def add(con: duckdb.DuckDBPyConnection, wanted: str) -> None:
    """Add to `m_texts` those messages of a SELECT (`capture_id`, `seq`) that are not there; mostly there are none, and
    then no text is read. In a small scope all are there."""
    if current(con).small:
        return
    con.execute(
        "CREATE OR REPLACE TEMP TABLE m_more AS SELECT DISTINCT w.capture_id, w.seq"  # noqa: S608
        f" FROM ({wanted}) w ANTI JOIN m_texts t ON t.capture_id = w.capture_id AND t.seq = w.seq"
    )
    row = con.execute("SELECT count(*) FROM m_more WHERE seq IS NOT NULL").fetchone()
    if row and row[0]:
        con.execute(
            "INSERT INTO m_texts SELECT m.capture_id, m.seq, m.raw FROM messages m"
            " SEMI JOIN m_more w ON w.capture_id = m.capture_id AND w.seq = m.seq"
        )


def add_asked(con: duckdb.DuckDBPyConnection) -> None:
    """Add the calls that prompts belong to: rules read what they were given."""
    add(con, _ASKED)
