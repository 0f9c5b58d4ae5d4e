"""Amendments: outcomes that were corrected, and what that changes in the moments of an arm's rewards.

A policy cannot be made to forget a reward: an envelope is a minimum over all that came before, and later rounds were
given by it. So the play goes on with what it was told, and only what is computed from the rewards is corrected. A
reward that was wrong by far has swallowed the others in the play's own sums, so those of the amended rewards are kept
apart, and exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from steadyarm.live.core.courses.exact import Parts, added

_REACH = math.sqrt(1.0 + math.pi**2 / 6.0)


@dataclass
class Amendments:
    """Of each arm: how many there are, Σx and Σx² of its rewards as amended, in exact parts, and Σ|new − old|."""

    counts: list[int]
    sums: list[Parts]
    squares: list[Parts]
    sizes: list[float]

    @classmethod
    def none(cls, n_arms: int) -> Amendments:
        """Return those of an experiment in which nothing was amended."""
        return cls([0] * n_arms, [()] * n_arms, [()] * n_arms, [0.0] * n_arms)

    @classmethod
    def of(cls, state: dict[str, Any]) -> Amendments:
        """Return those that a snapshot holds; one that kept sums in a single number each is a TypeError."""
        exactly = {name: [tuple(parts) for parts in state[name]] for name in ("sums", "squares")}
        return cls(**state | exactly)

    def reward(self, arm: int, reward: float) -> None:
        """Take in a reward as it was first told."""
        self.sums[arm] = added(self.sums[arm], reward)
        self.squares[arm] = added(self.squares[arm], reward * reward)

    def add(self, arm: int, old: float, new: float) -> None:
        """Take one in."""
        self.counts[arm] += 1
        self.sums[arm] = added(added(self.sums[arm], -old), new)
        self.squares[arm] = added(added(self.squares[arm], -old * old), new * new)
        self.sizes[arm] += abs(new - old)

    def corrected(self, moments: dict[str, list[float]]) -> dict[str, list[float]]:
        """Return the moments that a play would have kept of the amended rewards; the deviations from above.

        The deviations V = Σ(x − mean before it)² depend on the order, which is not kept. Seen as a vector, the
        differences x − mean before it are linear in the rewards. One reward that changes by δ changes its own
        difference by δ and those n rewards later by at most δ/n, so the vector's length by at most |δ|·√(1 + π²/6):
        √V grows by at most √(1 + π²/6)·Σ|δ|. An interval from a larger V is wider, and so still valid.

        >>> found = Amendments.none(1)
        >>> for reward in (1.0, 1.0, 1e18):
        ...     found.reward(0, reward)
        >>> found.add(0, 1e18, 0.0)
        >>> found.corrected({"sums": [1e18], "squares": [1e36], "deviations": [1e36]})["sums"]
        [2.0]
        """
        return {
            "sums": self._exact(moments["sums"], self.sums),
            "squares": self._exact(moments["squares"], self.squares),
            "deviations": [
                (math.sqrt(kept) + _REACH * size) ** 2 if size else kept
                for kept, size in zip(moments["deviations"], self.sizes, strict=True)
            ],
        }

    def _exact(self, told: list[float], parts: list[Parts]) -> list[float]:
        """Return the play's own sums but where something was amended."""
        pairs = zip(self.counts, told, parts, strict=True)
        return [math.fsum(exactly) if count else kept for count, kept, exactly in pairs]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, for a snapshot."""
        return dict(vars(self))
