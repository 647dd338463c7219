"""Fewer hypotheses, and none the surer for it."""

import math
from collections.abc import Sequence

_GOLDEN = (math.sqrt(5) - 1) / 2  # its multiples spread evenly between 0 and 1


def thin(weights: Sequence[float], hopes: Sequence[float], count: int, turn: int) -> list[tuple[int, float]]:
    """At most `count` of these hypotheses as (index, weight); weights and hopes are natural logarithms.

    Where many weigh the same, the heaviest few would stand for all and be taken for certain. So what is heavy stays as
    it is, and of the rest one in so many, at even distances, stands for those around it: what a call has of the weight
    stays, on average, what it was (Fearnhead and Clifford, 2003, with systematic instead of random places). `hopes` say
    which are likely to weigh more soon: those are rather kept, and counted for no more than they weigh. `turn` moves
    the places, so that it is not the same ones each time.
    """
    if len(weights) <= count:
        return list(enumerate(weights))
    rank = [w + h for w, h in zip(weights, hopes, strict=True)]
    top = max(rank)
    order = sorted(range(len(rank)), key=lambda i: (-rank[i], i))
    linear = [math.exp(rank[i] - top) for i in order]
    left, heavy = math.fsum(linear), 0
    while heavy < count - 1 and linear[heavy] * (count - heavy) > left:
        left -= linear[heavy]
        heavy += 1
    kept = [(i, weights[i]) for i in order[:heavy]]
    each = max(left, 0.0) / (count - heavy)
    if each <= 0.0:
        return kept
    share, place, weight = 0.0, ((turn + 1) * _GOLDEN % 1.0) * each, math.log(each) + top
    for i, w in zip(order[heavy:], linear[heavy:], strict=True):
        share += w
        if share > place:
            kept.append((i, weight - hopes[i]))
            place += each
    return kept
