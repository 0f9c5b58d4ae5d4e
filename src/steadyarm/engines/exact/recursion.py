"""Forward over the rounds: from each state of pulls and successes to the four that one more round can lead to."""

from __future__ import annotations

import numpy as np

from steadyarm.numerics.arithmetic import product
from steadyarm.numerics.arrays import Floats
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.policy import Policy


def recursion_weights(policy: Policy) -> list[Floats]:
    """Return how many reward sequences lead to each end, each weighted by the policy's own chances; arm 0 wins ties.

    Entry n has the ends with n pulls of arm 0 as an array by the successes of arm 0 and arm 1.
    """
    horizon = policy.horizon
    weights = [np.zeros((n + 1, horizon - n + 1)) for n in range(horizon + 1)]
    weights[0][0, 0] = 1.0
    reached = {0}  # pulls of arm 0 that the rounds played so far can have led to
    for played in range(horizon):
        for n in sorted(reached, reverse=True):
            chances = policy.two_armed_chances((n, played - n))
            _advance(weights[n], weights[n + 1], chances)
            if chances.max() > 0.0:
                reached.add(n + 1)
            if chances.min() == 1.0:
                reached.remove(n)
    return weights


@compiled
def _advance(here: Floats, there: Floats, chances: Floats) -> None:
    """Move the weight of the states with some pulls of arm 0 by a round; `there` are those with one more."""
    second = np.zeros(chances.shape[1] + 1)  # what stays, after a zero where no state has been before
    for s in range(chances.shape[0]):
        for r in range(chances.shape[1]):
            first = product(here[s, r], chances[s, r])
            second[r + 1] = here[s, r] - first
            there[s, r] += first
            there[s + 1, r] += first
        for r in range(chances.shape[1]):
            here[s, r] = second[r + 1] + second[r]
        here[s, chances.shape[1]] = second[chances.shape[1]]
