"""`auditor seen`: whether a value is among the secrets that were taken out, by its fingerprint alone."""

import sys
from getpass import getpass
from pathlib import Path

from auditor.cli.diagnostics import say
from auditor.cli.health import report_health
from auditor.cli.render import Format, print_csv, print_json, table
from auditor.cli.values import iso
from auditor.errors import UsageError
from auditor.redact.fingerprints import fingerprints_of, load_keys
from auditor.redact.fingerprints import rotate as put_new_key

_WHERE = """
SELECT r.capture_id, r.seq, r.direction, r.place, r.kind, m.method, m.tool, coalesce(m.ts, e.ts, c.started_at)
FROM redactions r
JOIN captures c USING (capture_id)
LEFT JOIN messages m ON m.capture_id = r.capture_id AND m.seq = r.seq
LEFT JOIN events e ON e.capture_id = r.capture_id AND e.seq = r.seq
WHERE list_contains($fingerprints::VARCHAR[], r.fingerprint)
ORDER BY c.started_at, r.capture_id, r.seq, r.place
"""
_COLUMNS = ("capture", "seq", "direction", "place", "kind", "method", "tool", "at")


def seen_value(db: Path, form: Format) -> None:
    """Ask for a value, and print where it was taken out; the value itself goes nowhere.

    Raises:
        UsageError: when no value is given.
    """
    from auditor.pipeline import reading

    value = getpass("value: ") if sys.stdin.isatty() else sys.stdin.read()
    value = value.rstrip("\r\n")
    if not value:
        raise UsageError("give the value on stdin, or type it at the prompt")
    with reading(db) as con:
        report_health(con)
        rows = con.execute(_WHERE, {"fingerprints": fingerprints_of(value, load_keys(db))}).fetchall()
    found = [dict(zip(_COLUMNS, (*row[:-1], iso(row[-1])), strict=True)) for row in rows]
    if form is Format.json:
        print_json(found)
    elif form is Format.csv:
        print_csv(_COLUMNS, found)
    elif found:
        table(_COLUMNS, [list(row.values()) for row in found])
    times = {0: "not seen as a secret (what can be guessed, as a PIN, has no fingerprint)", 1: "seen once"}
    say(times.get(len(found), f"seen {len(found)} times"))


def rotate_key(db: Path) -> None:
    """Put a new key in force: captures that begin from now on have fingerprints of it."""
    key = put_new_key(db)
    say(f"the fingerprint key is now {key.id}; values are looked up under {len(load_keys(db))} keys")
