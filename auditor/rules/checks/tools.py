"""Tool definitions over time."""

from collections.abc import Iterable, Mapping
from typing import Any

from auditor.rules.checks.hit import Hit, cut, decode


def changed(row: Mapping[str, Any]) -> Iterable[Hit]:
    """TOO-002: a tool whose definition differs from that of an earlier listing, with no word of it in between.

    The row holds all listings of a session (`lists`, texts; `seqs`, their records) and where a change was told.
    """
    told: list[int] = row["told"] or []
    known: dict[str, tuple[int, dict[str, Any]]] = {}
    for seq, text in zip(row["seqs"], row["lists"], strict=True):
        for tool in _listed(text):
            name = tool["name"]
            before = known.get(name)
            if before is not None and before[1] != tool and not any(before[0] < t < seq for t in told):
                parts = sorted(k for k in {*before[1], *tool} if before[1].get(k) != tool.get(k))
                yield Hit(
                    cut(name),
                    f"{cut(name)} changed ({', '.join(map(cut, parts[:5]))}) between two listings, unannounced.",
                    {"before_seq": before[0], "changed": [cut(part) for part in parts[:20]]},
                    seq=seq,
                )
            known[name] = (seq, tool)


def _listed(text: Any) -> list[dict[str, Any]]:
    message = decode(text)
    result = message.get("result") if isinstance(message, dict) else None
    tools = result.get("tools") if isinstance(result, dict) else None
    if not isinstance(tools, list):
        return []
    return [tool for tool in tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)]
