"""The filters of the listings: what a user may narrow by, as SQL with parameters.

Every listing is a SELECT that names its columns alike (`session_id`, `server`, `client`, `tool`, `moment`, `outcome`,
`tier` …). A filter is a fixed condition on such a column; what the user gave is only ever bound, never spliced in.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from auditor.errors import InputError, UsageError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ENDS = ("client", "server", "crash", "deleted", "open", "unknown")
CALL_OUTCOMES = ("ok", "tool_error", "error", "cancelled", "unanswered", "input_required", "task")
PROMPT_OUTCOMES = (
    "accept", "decline", "cancel", "timeout", "timeout_inferred", "unsupported", "client_error", "expired",
    "superseded", "cancelled_parent", "cancelled_server", "abandoned_parent", "abandoned_session", "pending",
    "completed", "retried", "dangling",
)  # fmt: skip
ORPHAN_KINDS = (
    "request_unanswered", "response_unmatched", "response_repeated", "response_after_cancel", "prompt_without_call",
    "prompt_open_at_call_end", "answer_after_call_end", "url_never_completed", "complete_unknown",
    "input_never_retried", "retry_mismatch", "state_reused", "task_unfinished", "task_result_unfetched",
    "progress_unknown", "subscription_unacknowledged", "subscription_left", "session_uninitialized",
    "session_ended_open",
)  # fmt: skip
TIERS = ("explicit", "deduced", "inferred", "ambiguous", "none")
_AGO = re.compile(r"^(\d+(?:\.\d+)?)\s*(s|m|h|d|w)$")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

_CONDITIONS = {
    "sessions": "list_contains($sessions::VARCHAR[], session_id)",
    "server": "($server::VARCHAR IN (server, name) OR server GLOB $server::VARCHAR OR name GLOB $server::VARCHAR)",
    "client": "(client = $client::VARCHAR OR client GLOB $client::VARCHAR)",
    "tool": "(tool = $tool::VARCHAR OR tool GLOB $tool::VARCHAR)",
    "since": "moment >= $since::TIMESTAMP",
    "until": "moment < $until::TIMESTAMP",
    "outcome": "list_contains($outcome::VARCHAR[], outcome)",
    "tier": "list_contains($tier::VARCHAR[], tier)",
    "kind": "list_contains($kind::VARCHAR[], kind)",
    "rule": "list_contains($rule::VARCHAR[], rule)",
    "severity": "list_contains($severity::VARCHAR[], severity)",
}


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What a listing is narrowed by; None leaves it open. `limit` counts rows, the latest ones."""

    session: str | None = None
    server: str | None = None
    client: str | None = None
    tool: str | None = None
    since: str | None = None
    until: str | None = None
    outcome: str | None = None
    tier: str | None = None
    kind: str | None = None
    rule: str | None = None
    severity: str | None = None
    limit: int | None = None


def where(con: "DuckDBPyConnection", f: Filters) -> tuple[str, dict[str, Any]]:
    """The conditions joined (`true` when there is none) and the values of their parameters.

    Raises:
        UsageError: for a time or a word that is not understood.
        InputError: for a session that nobody recorded.
    """
    values: dict[str, Any] = {
        "sessions": None if f.session is None else resolve_session(con, f.session),
        "server": f.server,
        "client": f.client,
        "tool": f.tool,
        "since": None if f.since is None else moment(f.since),
        "until": None if f.until is None else moment(f.until),
        "outcome": words(f.outcome),
        "tier": words(f.tier, TIERS, "--tier"),
        "kind": words(f.kind),
        "rule": words(f.rule),
        "severity": words(f.severity, ("violation", "warning", "policy", "info"), "--severity"),
    }
    given = {k: v for k, v in values.items() if v is not None}
    return " AND ".join(_CONDITIONS[k] for k in given) or "true", given


def known(text: str | None, choice: tuple[str, ...], option: str) -> str | None:
    """The text of an option as it was given, when each of its words is one of the choice.

    Raises:
        UsageError: for a word that is not: it would find nothing, which could be taken for good news.
    """
    words(text, choice, option)
    return text


def words(text: str | None, choice: tuple[str, ...] | None = None, option: str = "") -> list[str] | None:
    """`a,b` as `["a", "b"]`, each of them known.

    Raises:
        UsageError: for a word that is not.
    """
    if text is None:
        return None
    out = [w.strip() for w in text.split(",") if w.strip()]
    for word in out:
        if choice is not None and word not in choice:
            raise UsageError(f"{option} does not know `{word}`; it takes {', '.join(choice)}")
    return out


def moment(text: str, now: datetime | None = None) -> datetime:
    """A time that a user gave, as naive UTC: ISO 8601 (UTC unless it names an offset), or how long ago (`90m`, `7d`).

    Raises:
        UsageError: when it is neither.
    """
    try:
        if m := _AGO.match(text.strip()):
            at = (now or datetime.now(UTC)) - timedelta(**{_UNITS[m[2]]: float(m[1])})
        else:
            at = datetime.fromisoformat(text.strip())
        return at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at
    except (ValueError, OverflowError) as e:
        raise UsageError(f"`{text}` is no time; give one like 2026-07-28, 2026-07-28T09:30Z, 90m or 7d") from e


def resolve_session(con: "DuckDBPyConnection", text: str) -> list[str]:
    """The sessions that a text names: a whole id, `last`, or the beginning of one session's or one capture's id.

    Raises:
        InputError: when it names none, or could mean several.
    """
    if text == "last":
        row = con.execute(
            "SELECT session_id FROM sessions ORDER BY started_at DESC, session_id DESC LIMIT 1"
        ).fetchone()
        if row is None:
            raise InputError("there is no session yet; record one with `auditor record`")
        return [row[0]]
    found = con.execute(
        "SELECT session_id, capture_id FROM sessions WHERE starts_with(session_id, $text) ORDER BY started_at, 1",
        {"text": text},
    ).fetchall()
    exact = [s for s, _ in found if s == text]
    if exact:
        return exact
    if not found or not text:
        raise InputError(f"there is no session `{text}`; `auditor sessions` lists them")
    if len(found) > 1 and len({c for _, c in found}) > 1:
        some = ", ".join(s for s, _ in found[:3])
        raise InputError(f"`{text}` begins the ids of {len(found)} sessions ({some} …); give more of it")
    return [s for s, _ in found]


def resolve_one(con: "DuckDBPyConnection", text: str) -> str:
    """The one session that a text names.

    Raises:
        InputError: when it names none, or could mean several.
    """
    found = resolve_session(con, text)
    if len(found) > 1:
        raise InputError(f"the capture `{text}` holds {len(found)} sessions ({', '.join(found[:5])}); name one of them")
    return found[0]
