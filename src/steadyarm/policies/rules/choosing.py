"""Choices without an index that rules share; ties go to the smallest rank."""

import numpy as np

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled


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
def fill_means(count: Integers, total: Floats, means: Floats) -> None:
    """Write the means of all arms, a row each, in all lanes; one without a reward has none."""
    n_arms, lanes = means.shape
    for arm in range(n_arms):
        for lane in range(lanes):
            means[arm, lane] = total[arm * lanes + lane] / count[arm * lanes + lane]


def larger_mean(pulls: tuple[int, int]) -> Floats:
    """Return one where arm 0 of two leads, by the successes of both arms, and zero elsewhere; ties go to arm 0."""
    first, second = (np.arange(n + 1) / n for n in pulls)
    return np.greater_equal.outer(first, second).astype(float)


@compiled
def fewest(rank: Integers, pulls: Floats) -> int:
    """Return the arm with the fewest pulls, which stand first in `pulls`."""
    first = 0
    for arm in range(1, rank.size):
        if pulls[arm] < pulls[first] or (pulls[arm] == pulls[first] and rank[arm] < rank[first]):
            first = arm
    return first
