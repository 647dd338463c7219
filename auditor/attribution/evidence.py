"""Why a prompt was given to a call, in words that a person can check against the record."""

from collections.abc import Iterator

from auditor.attribution.model import Call, Learned, Prompt


def explain(
    p: Prompt, best: Call, able: list[Call], crowd: int, before: Prompt | None, learned: Learned
) -> tuple[str, ...]:
    """The signs that set the best call apart from the others that were open; `before` is its prompt before this one."""
    others = [c for c in able if c.seq != best.seq]
    said = [f"{len(able) + crowd} calls were open when it was asked"]
    if p.trace and p.trace == best.trace:
        said.append(f"it carries the trace context of call {best.rpc_id}")
    own = _only(p.words & best.words, [c.words for c in others])
    if own:
        said.append(f"it speaks of {_listed(own)}, which only call {best.rpc_id} has in its arguments")
    echoed = _only((p.answer_words - p.words) & best.result_words, [c.result_words for c in others])
    if echoed:
        said.append(f"the answer's {_listed(echoed)} comes back in the result of call {best.rpc_id} alone")
    said += _after(p, best, others, before)
    if p.closed_us is not None and best.end_us is not None and best.end_cause in ("answer", "error"):
        after = best.end_us - p.closed_us
        if 0 <= after < 1_000_000:
            said.append(f"call {best.rpc_id} ended {after / 1000:.1f} ms after it was closed")
    if p.closed_us is not None and p.closed_seq is not None:
        shut = [c.rpc_id for c in others if c.end_seq is not None and c.end_seq < p.closed_seq]
        if shut:
            said.append(f"call {', '.join(shut[:4])} ended while it was open")
    if best.timed_out and best.end_seq is not None and (p.closed_seq is None or p.closed_seq > best.end_seq):
        said.append(f"the result of call {best.rpc_id} says that it waited in vain, and it stood open")
    said += _known(p, best, others, learned)
    if len(said) == 1:
        said.append("of all ways to lay the steps of these calls end to end, nearly all of the weight is on this one")
    return tuple(said)


def _after(p: Prompt, best: Call, others: list[Call], before: Prompt | None) -> Iterator[str]:
    """What came right before it: the answer to another prompt of the same call, or the start of the call."""
    if before is not None and before.closed_us is not None:
        gap = p.ts_us - before.closed_us
        if 0 <= gap < 1_000_000:
            yield f"it was asked {gap / 1000:.1f} ms after prompt #{before.seq} of the same call was closed"
        return
    gap = p.ts_us - best.ts_us
    if 0 <= gap < 1_000_000 and not any(best.ts_us < c.ts_us <= p.ts_us for c in others):
        yield f"it was asked {gap / 1000:.1f} ms after call {best.rpc_id} began, the last to begin before it"


def _known(p: Prompt, best: Call, others: list[Call], learned: Learned) -> Iterator[str]:
    seen = learned.templates.get(p.template, {})
    if (times := seen.get(best.tool, 0)) and not any(seen.get(c.tool) for c in others if c.tool != best.tool):
        kind = "times" if times > 1 else "time"
        yield f"{best.tool} has asked in these words {times} {kind} where it was certain, and no other tool of these"


def _only(words: frozenset[str], others: list[frozenset[str]]) -> list[str]:
    return sorted(w for w in words if not any(w in o for o in others))[:3]


def _listed(words: list[str]) -> str:
    return ", ".join(f"“{w[:40]}”" for w in words)
