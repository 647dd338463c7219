"""Running the rules over the captures in scope.

Two rules. A finding belongs to its capture, and the findings of the captures in scope are replaced as a whole; a
rule that compares captures (scope `store`) is run over everything, and its findings are replaced everywhere. A rule
holds in the revisions its header names; where a session's revision is not known, only those hold that do not depend
on it.
"""

from collections.abc import Sequence
from typing import Any

import duckdb
import msgspec

from auditor.analysis.rows import lines, unpacked
from auditor.analysis.scope import Scope, current
from auditor.queries import SqlFile, load
from auditor.rules import due, parameters
from auditor.rules.checks import CHECKS
from auditor.rules.model import OVERRIDES, Rule, split
from auditor.rules.registry import all_rules

_COLUMNS = "capture_id, session_id, seq, subject, message, evidence"
_JUDGED = {
    "capture_id": "VARCHAR", "session_id": "VARCHAR", "seq": "BIGINT", "subject": "VARCHAR", "message": "VARCHAR",
    "evidence": "JSON", "severity": "VARCHAR", "confidence": "VARCHAR", "party": "VARCHAR",
}  # fmt: skip
_STORE = ("captures", "sessions", "messages", "redactions", "calls", "elicitations", "elicitation_fields")

_MACROS = (
    # JSON of a stored text; null where it is none
    "js(t) AS TRY_CAST(t AS JSON)",
    # the same, kept behind the join that the number comes from: a text is not parsed before it is known to be wanted
    "late(t, seq) AS CASE WHEN seq >= 0 THEN TRY_CAST(t AS JSON) END",
    # a JSON-RPC id as it stood on the wire
    "rid(id, type) AS CASE type WHEN 'integer' THEN coalesce(TRY_CAST(id AS JSON), to_json(id))"
    " WHEN 'null' THEN 'null'::JSON ELSE to_json(id) END",
    # a text short enough to be read
    "cut(t, n) AS CASE WHEN length(t) > n THEN left(t, n) || '…' ELSE t END",
    # one step of a JSON pointer
    "step(t) AS replace(replace(t, '~', '~0'), '/', '~1')",
    # the confidence of a rule that reports an absence
    "unseen(lost, handshake) AS CASE WHEN lost > 0 OR NOT handshake THEN 'low' ELSE 'high' END",
    # a name without case, spaces and punctuation
    "plain(t) AS regexp_replace(lower(t), '[^\\p{L}\\p{N}]', '', 'g')",
    # a duration in words
    "spell(us) AS CASE WHEN us < 1000000 THEN (us // 1000)::VARCHAR || ' ms'"
    " WHEN us < 120000000 THEN round(us / 1e6, 1)::VARCHAR || ' s' ELSE round(us / 6e7, 1)::VARCHAR || ' min' END",
)


def run_rules(con: duckdb.DuckDBPyConnection) -> None:
    """Replace the findings of the captures in `dirty`; the caller has opened the transaction, and `analyze` has left
    the scope and `m_lines` behind.

    Raises:
        duckdb.Error: when a rule's statement is wrong.
    """
    scope = current(con)
    seen = due.occurring(con)
    facts = [fact for fact in load("facts") if due.needed(split(fact.header.get("needs", "")), seen)]
    prepare(con, scope, facts)
    rules = due.signed(con, due.candidates(con, all_rules(), seen))
    findings = scope.table("findings")
    across = [rule.id for rule in rules if rule.scope == "store"]
    if across:
        _whole_store(con, scope)
    con.execute(
        f"DELETE FROM {findings} WHERE list_contains($across, rule)"  # noqa: S608
        f" OR capture_id IN {scope.dirty}",
        {"across": across},
    )
    for rule in rules:
        _run(con, rule, findings)
    for fact in reversed(facts):
        con.execute(f"DROP {_kind(scope, fact)} IF EXISTS {fact.header['table']}")


def prepare(con: duckdb.DuckDBPyConnection, scope: Scope, facts: Sequence[SqlFile]) -> None:
    """Make the macros and facts that rules are written in."""
    con.execute(";".join(f"CREATE OR REPLACE TEMP MACRO {macro}" for macro in _MACROS))
    for fact in facts:
        con.execute(f"CREATE OR REPLACE TEMP {_kind(scope, fact)} {fact.header['table']} AS {fact.sql}")


def _whole_store(con: duckdb.DuckDBPyConnection, scope: Scope) -> None:
    """What a rule that compares captures reads: the real tables, as `store_` and their name."""
    views = (f"CREATE OR REPLACE TEMP VIEW store_{table} AS SELECT * FROM {scope.table(table)}" for table in _STORE)  # noqa: S608
    con.execute(";".join(views))


def _kind(scope: Scope, fact: SqlFile) -> str:
    """A fact that is a view is a table in a small scope: there binding a view costs more than a copy."""
    return "TABLE" if scope.small else fact.header["kind"].upper()


def _run(con: duckdb.DuckDBPyConnection, rule: Rule, findings: str) -> None:
    values = parameters.values(rule)
    sessions = "store_sessions" if rule.scope == "store" else "sessions"
    if rule.check is None:
        con.execute(f"INSERT INTO {findings} {_statement(rule, sessions, f'({rule.sql})')}", values)
        return
    rows = _judged(con, rule, values)
    if rows:
        given = unpacked(_JUDGED)
        full = msgspec.structs.replace(rule, overrides=OVERRIDES)
        con.execute(
            f"INSERT INTO {findings} {_statement(full, sessions, f'({given})')}",
            {"rows": lines(rows)},
        )


def _statement(rule: Rule, sessions: str, source: str) -> str:
    """The SELECT that turns a rule's rows into findings, of the sessions whose revision it holds in."""
    said = {key: f"coalesce(r.{key}, '{getattr(rule, key)}')" for key in rule.overrides}
    severity, confidence, party = (said.get(key, f"'{getattr(rule, key)}'") for key in OVERRIDES)
    message = "coalesce(r.message, '" + rule.title.replace("'", "''") + ".')"
    where = "true"
    if not due.everywhere(rule):
        listed = ", ".join(f"'{p}'" for p in rule.protocols())
        where = f"s.protocol IN ({listed})" + (" OR s.protocol IS NULL" if due.unknown_too(rule) else "")
    return (
        f"SELECT '{rule.id}', {severity}, {confidence}, {party}, r.capture_id,"  # noqa: S608
        f" coalesce(r.session_id, r.capture_id || '.1'), r.seq, coalesce(r.subject, ''), {message}, r.evidence"
        f" FROM {source} r LEFT JOIN {sessions} s ON s.session_id = r.session_id WHERE {where}"
    )


def _judged(con: duckdb.DuckDBPyConnection, rule: Rule, values: dict[str, Any]) -> list[dict[str, Any]]:
    """What the rule's check says of each row of its SELECT."""
    assert rule.check is not None
    check = CHECKS[rule.check]
    cursor = con.execute(rule.sql, values)
    names = [column[0] for column in cursor.description or []]
    found: list[dict[str, Any]] = []
    while batch := cursor.fetchmany(1000):
        for values_of_row in batch:
            row = dict(zip(names, values_of_row, strict=True))
            place = {key: row[key] for key in ("capture_id", "session_id", "seq")}
            found += [{**place, **msgspec.to_builtins(hit)} for hit in check(row)]
    return found
