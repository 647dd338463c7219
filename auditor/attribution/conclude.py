"""What the shares of the weight come to: a tier, a call or none, and why."""

from auditor.attribution.evidence import explain
from auditor.attribution.model import CROWD, Attribution, Call, Learned, Prompt

_SUREST = 0.99  # what was inferred is never certain


def conclude(
    p: Prompt,
    share: dict[int, float],
    calls: dict[int, Call],
    crowd: int,
    threshold: float,
    before: Prompt | None = None,
    learned: Learned | None = None,
) -> Attribution:
    """What is said of a prompt. `share`: the calls that were weighed for it, with their shares of the weight; `crowd`:
    how many more stood open; `before`: the prompt before it of the call that it most likely belongs to."""
    able = sorted(c for c in share if c >= 0 and c in calls)
    if not able:
        return Attribution(p.seq, p.item, "none", None, 0.0, ("no call was open when it was asked",), ())
    if len(able) == 1 and not crowd and calls[able[0]].cancelled_seq is None:
        only = f"call {calls[able[0]].rpc_id} was the only one open when it was asked"
        return Attribution(p.seq, p.item, "deduced", able[0], 1.0, (only,), ((able[0], 1.0),))
    ranked = sorted(((share.get(c, 0.0), -c) for c in able), reverse=True)
    candidates = tuple((-c, round(w, 4)) for w, c in ranked)
    best, weight = -ranked[0][1], ranked[0][0]
    if weight >= threshold:
        why = explain(p, calls[best], [calls[c] for c in able], crowd, before, learned or Learned())
        return Attribution(p.seq, p.item, "inferred", best, min(round(weight, 4), _SUREST), why, candidates)
    together = share.get(CROWD, 0.0)
    nobody = 1.0 - sum(share.get(c, 0.0) for c in able) - together
    unsure: tuple[str, ...] = (f"{len(able) + crowd} calls were open, and nothing sets one of them clearly apart",)
    if crowd:
        unsure += (f"{crowd} of them, open for long and never ended, are weighed together (weight {together:.2f})",)
    if nobody > 0.05:
        unsure += (f"it may belong to no call at all (weight {nobody:.2f})",)
    return Attribution(p.seq, p.item, "ambiguous", None, round(weight, 4), unsure, candidates)
