"""Simulated intervals of differences: those under which replays of the experiment look like the experiment itself.

For a difference δ that two arms could have, the policy is played on arms of which these two have the likeliest means
that are δ apart, and the others their estimated ones; the studentised difference is compared with the replayed ones.
The rest of the truth is estimated, so that it holds to first order only.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.special import xlog1py, xlogy

from steadyarm.engines.progress import Report
from steadyarm.engines.simulate import simulate
from steadyarm.engines.sums import reward_moments
from steadyarm.inference.pairs import Pairs
from steadyarm.inference.sample import Sample
from steadyarm.inference.simulated import Tails, find_end, instance_with, tails_of
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.policy import Policy


def simulated_differences(
    policy: Policy,
    sample: Sample,
    level: float,
    pairs: Pairs,
    ordinary: tuple[Floats, Floats],
    *,
    replays: int,
    seed: int,
    report: Report | None = None,
) -> tuple[Floats, Floats, Floats, int]:
    """Return both ends for each pair, its p-value, and how many replays were played; begins at the ordinary ends.

    All differences are tested on the same random numbers, as in `simulated_ends`.
    """
    ends, chances, tests = np.empty((2, len(pairs))), np.empty(len(pairs)), 0
    span = sample.high - sample.low
    for place, (each, side) in enumerate(product(range(len(pairs)), (0, 1))):
        width = float(ordinary[1][each] - ordinary[0][each])

        def tails(difference: float, pair: tuple[int, int] = pairs[each]) -> Tails:
            nonlocal tests
            tests += 1
            return difference_tails(policy, sample, pair, difference, replays, seed)

        def rejected(difference: float, side: int = side) -> bool:
            found = tails(difference)
            return (found.below if side else found.above) < (1.0 - level) / 2.0

        limits = (-span, span)
        ends[side, each] = find_end(
            rejected, float(ordinary[side][each]), limits[side], limits[1 - side], width
        )
        if side:
            chances[each] = min(1.0, 2.0 * min(tails(0.0)))
        if report is not None:
            report((place + 1) / (2 * len(pairs)))
    return ends[0], ends[1], chances, tests * replays


def difference_tails(
    policy: Policy, sample: Sample, pair: tuple[int, int], difference: float, replays: int, seed: int
) -> Tails:
    """Compare the experiment with replays in which two arms differ by so much; the experiment itself counts as one.

    >>> import steadyarm as sa
    >>> coins = Sample(np.array([50, 50]), np.array([15.0, 25.0]), None, None, "bernoulli", 0.0, 1.0, None)
    >>> turns = sa.RoundRobin(n_arms=2, horizon=100, noise_scale=0.5)
    >>> [round(tail, 2) for tail in difference_tails(turns, coins, (1, 0), 0.0, 200, seed=1)]
    [0.97, 0.04]
    """
    arms = list(pair)
    means = likeliest_means(sample, pair, difference)
    instance = instance_with(sample, dict(zip(arms, means, strict=True)))
    counts = simulate(policy, instance, runs=replays, seed=seed, progress=False, outside_class=True).counts
    counts[:, ~np.isin(np.arange(counts.shape[1]), arms)] = 0  # nobody asks for the rewards of the others
    sums = reward_moments(instance, counts, seed=seed).sums
    variances = instance.variances[arms]
    replayed = _statistics(counts[:, arms], sums[:, arms], difference, variances)
    seen = _statistics(sample.counts[None, arms], sample.sums[None, arms], difference, variances)
    return tails_of(replayed, float(seen[0]))


def likeliest_means(sample: Sample, pair: tuple[int, int], difference: float) -> tuple[float, float]:
    """Return the means of two arms that are so far apart and fit their rewards best.

    >>> coins = Sample(np.array([100, 100]), np.array([50.0, 30.0]), None, None, "bernoulli", 0.0, 1.0, None)
    >>> [round(mean, 3) for mean in likeliest_means(coins, (0, 1), 0.0)]
    [0.401, 0.401]
    """
    arms = list(pair)
    if sample.rewards == "gaussian":
        scales = np.broadcast_to(np.asarray(sample.noise_scale), sample.counts.shape)
        weights = sample.counts[arms] / scales[arms] ** 2
        other = float(np.average(sample.means[arms] - np.array([difference, 0.0]), weights=weights))
        return other + difference, other
    # Half a success and half a failure more: no rate is 0 or 1 because none was seen.
    ones, noughts = sample.sums[arms] + 0.5, sample.counts[arms] - sample.sums[arms] + 0.5

    from scipy.optimize import minimize_scalar  # here: servers start without it

    def surprise(other: float) -> float:
        rates = np.array([other + difference, other])
        return -float((xlogy(ones, rates) + xlog1py(noughts, -rates)).sum())

    bounds = max(0.0, -difference), min(1.0, 1.0 - difference)
    other = float(minimize_scalar(surprise, bounds=bounds, method="bounded", options={"xatol": 1e-9}).x)
    return min(1.0, max(0.0, other + difference)), other


def _statistics(counts: Integers, sums: Floats, difference: float, variances: Floats) -> Floats:
    """Return the studentised difference of each run; nothing is known without a pull of both."""
    known = counts.min(axis=1) > 0
    pulls = np.where(known[:, None], counts, 1)
    means = sums / pulls
    errors = np.sqrt((variances / pulls).sum(axis=1))
    found: Floats = np.zeros(len(counts))
    np.divide(means[:, 0] - means[:, 1] - difference, errors, out=found, where=known & (errors > 0.0))
    return found
