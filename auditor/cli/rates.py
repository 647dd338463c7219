"""Rates with their intervals."""

from math import sqrt
from typing import Any

Z95 = 1.959963984540054  # the normal quantile of a two-sided 95 % interval


def wilson(hits: int, n: int) -> dict[str, Any] | None:
    """`hits` of `n` as a rate with its 95 % Wilson interval; None where there is nothing to divide by.

    >>> wilson(0, 0) is None
    True
    >>> {k: round(v, 3) for k, v in wilson(5, 10).items()}
    {'value': 0.5, 'low': 0.237, 'high': 0.763}
    """
    if n == 0:
        return None
    p, zz = hits / n, Z95 * Z95
    middle = (p + zz / (2 * n)) / (1 + zz / n)
    half = Z95 * sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
    return {"value": p, "low": max(0.0, middle - half), "high": min(1.0, middle + half)}
