"""Choices without an index that rules share; ties go to the smallest rank."""

from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import compiled


@compiled
def leader(rank: Integers, counts: Integers, totals: Floats) -> int:
    """Return the arm with the largest mean; every arm has a reward."""
    first = 0
    best = totals[0] / counts[0]
    for arm in range(1, counts.size):
        mean = totals[arm] / counts[arm]
        if mean > best or (mean == best and rank[arm] < rank[first]):
            first, best = arm, mean
    return first


@compiled
def fewest(rank: Integers, pulls: Floats) -> int:
    """Return the arm with the fewest pulls."""
    first = 0
    for arm in range(1, pulls.size):
        if pulls[arm] < pulls[first] or (pulls[arm] == pulls[first] and rank[arm] < rank[first]):
            first = arm
    return first
