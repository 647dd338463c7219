"""Dice that fall the same way each time, on every machine and version."""

from collections.abc import Sequence

_TIMES, _PLUS, _MASK = 6364136223846793005, 1442695040888963407, (1 << 64) - 1


class Dice:
    """A linear congruential generator of 64 bits (Knuth's constants), of which the high bits are used."""

    def __init__(self, seed: int) -> None:
        self._state = seed
        for _ in range(4):
            self.throw()

    def throw(self) -> float:
        """A number from 0 to below 1."""
        self._state = (self._state * _TIMES + _PLUS) & _MASK
        return (self._state >> 11) / (1 << 53)

    def below(self, n: int) -> int:
        """One of the first `n` integers."""
        return int(self.throw() * n)

    def pick(self, weights: Sequence[float]) -> int:
        """A place in a list of weights, as likely as its weight."""
        left = self.throw() * sum(weights)
        for n, weight in enumerate(weights):
            left -= weight
            if left < 0.0:
                return n
        return max(range(len(weights)), key=weights.__getitem__)
