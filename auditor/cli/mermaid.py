"""A session as a Mermaid sequence diagram."""

from collections.abc import Mapping, Sequence
from typing import Any

from auditor.cli.render import cell
from auditor.cli.values import duration, ms, rpc_id

Row = Mapping[str, Any]
MAX_TEXT = 80  # characters of one label


def diagram(session: Row, calls: Sequence[Row], prompts: Sequence[Row]) -> str:
    """The diagram's text: arrows in recorded order, one for each leg, prompt, answer and end."""
    arrows: list[tuple[int, str]] = []
    for call in calls:
        arrows += _call(call)
    for prompt in prompts:
        arrows += _prompt(prompt)
    head = [
        "sequenceDiagram",
        f"    participant C as {_label(session['client'] or 'client')}",
        f"    participant S as {_label(session['server'] or 'server')}",
    ]
    return "\n".join([*head, *(f"    {text}" for _, text in sorted(arrows, key=lambda a: a[0]))])


def _call(c: Row) -> list[tuple[int, str]]:
    name = _label(f"{c['method']} {c['tool'] or ''}")
    out = []
    for n, leg in enumerate(c["legs"]):
        again = "" if n == 0 else " again"
        identity = _label(rpc_id(leg["rpc_id"], leg["rpc_id_type"]))
        out.append((leg["seq"], f"C->>S: {name}{again} [{identity}]"))
    if c["end_seq"] is not None:
        out.append((c["end_seq"], f"S-->>C: {c['outcome']} after {duration(ms(c['duration_us']))}"))
    return out


def _prompt(p: Row) -> list[tuple[int, str]]:
    what = p["kind"] if p["kind"] != "elicitation" else f"{p['mode'] or 'form'} prompt"
    out = [(p["seq"], f"S->>C: {what}: {_label(p['message'] or '')}")]
    if p["tier"] not in ("explicit", "deduced"):
        out.append((p["seq"], f"Note over C,S: whose: {p['tier']}"))
    if p["answered_seq"] is not None:
        out.append((p["answered_seq"], f"C-->>S: {p['action'] or p['outcome']}"))
    elif p["closed_seq"] is not None:
        out.append((p["closed_seq"], f"Note over C,S: prompt {p['seq']} ends as {p['outcome']}"))
    return out


def _label(value: Any) -> str:
    """Text without what Mermaid reads as syntax."""
    text = cell(value)
    text = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
    return "".join(_ENTITIES.get(c, c) for c in text)


_ENTITIES = {c: f"#{ord(c)};" for c in '#;:<>{}[]"`%&|\\'}
