"""From calls and prompts to attributions."""

from collections.abc import Sequence

from auditor.attribution.model import Attribution, Call, Learned, Prompt


def attribute(
    calls: Sequence[Call], prompts: Sequence[Prompt], learned: Learned, threshold: float = 0.9
) -> list[Attribution]:
    """Attribute the prompts that are not fixed."""
    out = []
    for p in prompts:
        if p.fixed is not None:
            continue
        able = [c for c in calls if c.seq < p.seq and (c.end_seq is None or c.end_seq > p.seq)]
        if not able:
            out.append(Attribution(p.seq, p.item, "none", None, 0.0, ("no call was open when it was asked",), ()))
        elif len(able) == 1:
            out.append(Attribution(p.seq, p.item, "deduced", able[0].seq, 1.0, ("only one call was open",), ((able[0].seq, 1.0),)))
        else:
            w = 1 / len(able)
            out.append(Attribution(p.seq, p.item, "ambiguous", None, w, (f"{len(able)} calls were open",), tuple((c.seq, w) for c in able)))
    return out
