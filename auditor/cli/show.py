"""`auditor show`: one session as a tree, a diagram, or JSON."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from auditor.cli import listing, shapes
from auditor.cli.filters import Filters, resolve_one
from auditor.cli.health import report_health
from auditor.cli.mermaid import diagram
from auditor.cli.render import cell, console, emit
from auditor.cli.values import clock, duration, ms, rpc_id, sure, to_json

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from rich.tree import Tree

Row = Mapping[str, Any]


class Chain(msgspec.Struct, frozen=True):
    """Everything that is shown of a session, as rows of the listings."""

    session: Row
    calls: Sequence[Row]
    prompts: Sequence[Row]
    orphans: Sequence[Row]
    findings: Sequence[Row]

    def inside(self) -> dict[int | None, list[Row]]:
        """The prompts by the first leg of the call they belong to; None for those without one."""
        known = {call["seq"] for call in self.calls}
        out: dict[int | None, list[Row]] = defaultdict(list)
        for prompt in self.prompts:
            root = prompt["root_seq"] if prompt["root_seq"] is not None else prompt["parent_seq"]
            out[root if root in known else None].append(prompt)
        return out


def print_session(db: Path, text: str, form: str) -> None:
    """Bring the database up to date and print one session.

    Raises:
        InputError: when nobody recorded it.
    """
    from auditor.pipeline import reading

    with reading(db) as con:
        report_health(con)
        chain = read(con, resolve_one(con, text))
    if form == "json":
        emit(to_json(as_json(chain)))
    elif form == "mermaid":
        emit(diagram(chain.session, chain.calls, chain.prompts))
    else:
        console().print(tree(chain))


def read(con: "DuckDBPyConnection", session: str) -> Chain:
    """The rows of a session whose id is known."""
    only = Filters(session=session)
    return Chain(
        next(listing.rows(con, listing.SESSIONS, only)),
        list(listing.rows(con, listing.CALLS, only)),
        list(listing.rows(con, listing.ELICITATIONS, only)),
        list(listing.rows(con, listing.ORPHANS, only)),
        list(listing.rows(con, listing.FINDINGS, only)),
    )


def as_json(chain: Chain) -> dict[str, Any]:
    """The session with its calls, each with its prompts as objects, and what belongs to no call."""
    inside = chain.inside()
    calls = [shapes.call(c) | {"prompts": [shapes.elicitation(p) for p in inside[c["seq"]]]} for c in chain.calls]
    return shapes.session(chain.session) | {
        "calls": calls,
        "unattributed": [shapes.elicitation(p) for p in inside[None]],
        "orphans": [shapes.orphan(o) for o in chain.orphans],
        "findings": [shapes.finding(f) for f in chain.findings],
    }


def tree(chain: Chain) -> "Tree":
    """The session as a rich tree; whatever came over the wire is plain text in it."""
    from rich.text import Text
    from rich.tree import Tree

    inside = chain.inside()
    root = Tree(Text(_session_line(chain.session), style="bold"), guide_style="dim")
    for call in chain.calls:
        branch = root.add(Text(_call_line(call)))
        for prompt in inside[call["seq"]]:
            _add_prompt(branch, prompt)
    if inside[None]:
        branch = root.add(Text("prompts that belong to no call for certain"))
        for prompt in inside[None]:
            _add_prompt(branch, prompt)
    for title, lines in (
        ("left hanging", [f"seq {o['seq']} {o['kind']}: {cell(o['detail'])}" for o in chain.orphans]),
        ("findings", [f"{f['rule']} {f['severity']} seq {f['seq']}: {cell(f['message'])}" for f in chain.findings]),
    ):
        if lines:
            branch = root.add(Text(title))
            for line in lines:
                branch.add(Text(line))
    return root


def _add_prompt(branch: "Tree", prompt: Row) -> None:
    from rich.text import Text

    twig = branch.add(Text(_prompt_line(prompt)))
    for line in _prompt_details(prompt):
        twig.add(Text(line, style="dim"))


def _session_line(s: Row) -> str:
    server = f"{cell(s['server'])} {cell(s['server_version'])}".strip() or "unknown server"
    client = f"{cell(s['client'])} {cell(s['client_version'])}".strip() or "unknown client"
    took = duration((s["ended_at"] - s["started_at"]).total_seconds() * 1000)
    ended = s["outcome"] if s["exit_code"] in (None, 0) else f"{s['outcome']} (exit {s['exit_code']})"
    return (
        f"{s['session_id']}  {client} → {server}  MCP {cell(s['protocol']) or 'unknown'} over {s['transport']}\n"
        f"{clock(s['started_at'])} UTC, {took}, {s['messages']} messages, ended by {ended}"
    )


def _call_line(c: Row) -> str:
    person = f" ({duration(ms(c['human_us']))} of it waiting for a person)" if c["human_us"] else ""
    legs = f", {len(c['legs'])} legs" if len(c["legs"]) > 1 else ""
    identity = cell(rpc_id(c["rpc_id"], c["rpc_id_type"]))
    took = f" after {duration(ms(c['duration_us']))}" if c["duration_us"] is not None else ""
    return f"#{c['seq']} {c['method']} {cell(c['tool'])} [id {identity}{legs}] → {c['outcome']}{took}{person}"


def _prompt_line(p: Row) -> str:
    what = p["kind"] if p["kind"] != "elicitation" else f"{p['mode'] or 'form'} prompt"
    name = f" {cell(p['key'])}" if p["key"] is not None else ""
    after = f" after {duration(ms(p['latency_us']))}" if p["latency_us"] is not None else ""
    message = f": “{cell(p['message'])}”" if p["message"] else ""
    return f"#{p['seq']} {what}{name} → {p['outcome']}{after}{message}"


def _prompt_details(p: Row) -> Iterator[str]:
    if p["fields"]:
        yield "asks for " + ", ".join(_field(f) for f in p["fields"])
    if p["url"]:
        yield f"leads to {cell(p['url'])}" + (f" ({p['url_status']})" if p["url_status"] else "")
    if p["detail"]:
        yield f"outcome: {cell(p['detail'])}"
    if p["late_action"]:
        yield f"came too late: {p['late_action']}"
    how = f" ({sure(p['confidence'])})" if p["tier"] == "inferred" else ""
    yield f"whose: {p['tier']}{how}" + "".join(f"; {cell(e)}" for e in p["evidence"])
    if p["tier"] == "ambiguous":
        names = (f"#{c['seq']} {sure(c['weight'])}" for c in p["candidates"])
        yield "could belong to " + ", ".join(names)


def _field(f: Mapping[str, Any]) -> str:
    sensitive = f", a secret: {f['sensitive']}" if f["sensitive"] else ""
    return f"{cell(f['name'])} ({cell(f['type']) or 'any'}{'' if f['required'] else ', optional'}{sensitive})"
