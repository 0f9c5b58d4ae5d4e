"""Amendments: outcomes that were corrected, and what that changes in the moments of an arm's rewards.

A policy cannot be made to forget a reward: an envelope is a minimum over all that came before, and later rounds were
given by it. So the play goes on with what it was told, and only what is computed from the rewards is corrected.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

_REACH = math.sqrt(1.0 + math.pi**2 / 6.0)


@dataclass
class Amendments:
    """Of each arm: how many there are, what they add to Σx and Σx², and Σ|new − old|."""

    counts: list[int]
    sums: list[float]
    squares: list[float]
    sizes: list[float]

    @classmethod
    def none(cls, n_arms: int) -> Amendments:
        """Return those of an experiment in which nothing was amended."""
        return cls([0] * n_arms, [0.0] * n_arms, [0.0] * n_arms, [0.0] * n_arms)

    def add(self, arm: int, old: float, new: float) -> None:
        """Take one in."""
        self.counts[arm] += 1
        self.sums[arm] += new - old
        self.squares[arm] += new * new - old * old
        self.sizes[arm] += abs(new - old)

    def corrected(self, moments: dict[str, list[float]]) -> dict[str, list[float]]:
        """Return the moments that a play would have kept of the amended rewards; the deviations from above.

        The deviations V = Σ(x − mean before it)² depend on the order, which is not kept. Seen as a vector, the
        differences x − mean before it are linear in the rewards. One reward that changes by δ changes its own
        difference by δ and those n rewards later by at most δ/n, so the vector's length by at most |δ|·√(1 + π²/6):
        √V grows by at most √(1 + π²/6)·Σ|δ|. An interval from a larger V is wider, and so still valid.

        >>> found = Amendments.none(1)
        >>> found.add(0, 1.0, 0.0)
        >>> found.corrected({"sums": [3.0], "squares": [3.0], "deviations": [0.0]})["sums"]
        [2.0]
        """
        return {
            "sums": _added(moments["sums"], self.sums),
            "squares": [max(0.0, each) for each in _added(moments["squares"], self.squares)],
            "deviations": [
                (math.sqrt(kept) + _REACH * size) ** 2 if size else kept
                for kept, size in zip(moments["deviations"], self.sizes, strict=True)
            ],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, for a snapshot."""
        return dict(vars(self))


def _added(one: list[float], other: list[float]) -> list[float]:
    return [left + right for left, right in zip(one, other, strict=True)]
