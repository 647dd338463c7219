"""Figures as Plotly takes them, without colours: the page has those, for light and for dark."""

from collections.abc import Sequence
from typing import Any

from auditor.report.data import OUTCOMES, TOOLS, Row, total
from auditor.report.text import label

# outcome -> the name of its colour on the page, and its words
LOOKS = {
    "accept": ("good", "accepted"),
    "decline": ("bad", "declined"),
    "cancel": ("warn", "cancelled by the user"),
    "timeout": ("late", "timed out"),
    "timeout_inferred": ("later", "timed out (inferred)"),
    "client_error": ("odd", "client error"),
    "expired": ("odd2", "expired"),
    "cancelled_parent": ("grey1", "call cancelled"),
    "cancelled_server": ("grey2", "withdrawn by the server"),
    "abandoned_parent": ("grey3", "call ended first"),
    "abandoned_session": ("grey4", "session ended first"),
    "unsupported": ("none", "not supported"),
    "superseded": ("grey5", "superseded"),
    "pending": ("open", "still open"),
}


def outcomes(tools: Sequence[Row]) -> dict[str, Any]:
    """Stacked bars: how the prompts of each tool ended; beyond `TOOLS` tools the rest is one bar."""
    shown = list(tools[:TOOLS])
    if len(tools) > TOOLS:
        shown.append({**total(tools[TOOLS:]), "tool": f"{len(tools) - TOOLS} other tools"})
    names = [_name(tool) for tool in shown][::-1]
    traces = []
    for outcome in OUTCOMES:
        counts = [tool["counts"].get(outcome, 0) for tool in shown][::-1]
        if any(counts):
            colour, words = LOOKS[outcome]
            traces.append(
                {
                    "type": "bar",
                    "orientation": "h",
                    "name": words,
                    "colour": colour,
                    "x": counts,
                    "y": list(range(len(shown))),
                    "customdata": names,
                    "hovertemplate": "%{customdata}<br>" + words + ": %{x}<extra></extra>",
                }
            )
    return {"traces": traces, "ticks": names, "height": 150 + 34 * len(shown)}


def _name(tool: Row) -> str:
    name = label(tool["tool"] or "no call known", 34)
    return f"{name}  ({label(tool['server'], 24)})" if tool["server"] else name


def survival(curve: Row) -> dict[str, Any]:
    """A falling staircase: the share of prompts that nobody had answered yet."""
    trace = {
        "type": "scatter",
        "mode": "lines",
        "name": "unanswered",
        "colour": "accent",
        "x": [0, *curve["x"]],
        "y": [1, *curve["y"]],
        "hovertemplate": "after %{x:.1f} s: %{y:.0%} unanswered<extra></extra>",
    }
    until = curve["until"] * 1.25 or max([1, *curve["x"]])  # what stays open for hours would press the rest flat
    return {"traces": [trace], "height": 340, "until": until}
