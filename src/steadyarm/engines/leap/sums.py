"""What the rewards of leapt runs add up to: the walks, read at the counts where the runs ended."""

from __future__ import annotations

import numpy as np

from steadyarm.engines.leap.walks import increment, middle_sum
from steadyarm.engines.source import Source, source_of
from steadyarm.model.instance import BERNOULLI, Instance
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled


def walk_sums(instance: Instance, counts: Integers, *, seed: int = 0, first_run: int = 0) -> Floats:
    """Return the sum of each arm's first `counts[r, arm]` rewards in run `first_run + r` of the leap engine.

    >>> import steadyarm as sa
    >>> sums = walk_sums(sa.Instance.bernoulli([0.5, 1.0]), np.array([[10**9, 7]]), seed=1)
    >>> abs(float(sums[0, 0]) - 5e8) < 1e5, float(sums[0, 1])
    (True, 7.0)
    """
    sums = np.zeros(counts.shape)
    _fill_sums(source_of(instance, seed), first_run, np.ascontiguousarray(counts), sums)
    return sums


@compiled
def _fill_sums(source: Source, first_run: int, counts: Integers, sums: Floats) -> None:
    for row in range(counts.shape[0]):
        for arm in range(counts.shape[1]):
            if counts[row, arm] > 0:
                sums[row, arm] = _sum_of(source, first_run + row, arm, float(counts[row, arm]))


@compiled
def _sum_of(source: Source, run: int, arm: int, n: float) -> float:
    """Return the walk at n: up to the octave of n by its increments, then down to n by its midpoints."""
    a, at_a = 1.0, increment(source, run, arm, 1.0, 1.0)
    while 2.0 * a <= n:
        at_a += increment(source, run, arm, a, 2.0 * a)
        a *= 2.0
    if a < n:
        b, at_b = 2.0 * a, at_a + increment(source, run, arm, a, 2.0 * a)
        while a < n:
            middle, at_middle = 0.5 * (a + b), middle_sum(source, run, arm, a, b, at_a, at_b)
            if middle <= n:
                a, at_a = middle, at_middle
            else:
                b, at_b = middle, at_middle
    return at_a if source.law == BERNOULLI else at_a + n * source.location[arm]
