"""Simulated intervals: the means under which replays of the experiment look like the experiment itself.

For a mean that an arm could have, the experiment's own policy is played many times on arms of which this one has that
mean, and the arm's studentised mean is compared with the replayed ones. The interval is the set of means that this
test does not reject. B. M. Cho, A. Bibaut & N. Kallus, "Simulation-based inference for adaptive experiments" (2025).
The other arms have their estimated means, so that it holds to first order only; the paper raises these means a little.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np

from steadyarm.engines.progress import Report
from steadyarm.engines.simulate import simulate
from steadyarm.engines.sums import reward_moments
from steadyarm.errors import NotSupported
from steadyarm.inference.methods import interval_ends, ordinary_method
from steadyarm.inference.sample import Sample
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.policy import Policy

REPLAYS = 1000
SEED = 2**63 + 1  # a replay must not meet the rewards of the experiment itself
_PRECISION = 0.02  # of an end, as a share of the ordinary interval's width


class Tails(NamedTuple):
    """The share of replays whose statistic is at most, and at least, that of the experiment."""

    below: float
    above: float


def tails(
    policy: Policy, sample: Sample, arm: int, mean: float, replays: int, seed: int, threads: int | None = None
) -> Tails:
    """Compare the experiment with replays in which an arm has a given mean; the experiment itself counts as one.

    >>> import steadyarm as sa
    >>> coins = Sample(np.array([50, 50]), np.array([15.0, 25.0]), None, None, "bernoulli", 0.0, 1.0, None)
    >>> turns = sa.RoundRobin(n_arms=2, horizon=100, noise_scale=0.5)
    >>> [round(tail, 2) for tail in tails(turns, coins, 0, 0.4, 200, seed=1)]
    [0.09, 0.94]
    """
    instance = instance_with(sample, {arm: mean})
    counts = simulate(
        policy, instance, runs=replays, seed=seed, threads=threads, progress=False, outside_class=True
    ).counts
    counts[:, np.arange(counts.shape[1]) != arm] = 0  # nobody asks for the rewards of the others
    sums = reward_moments(instance, counts, seed=seed, threads=threads).sums[:, arm]
    replayed = _statistic(sums, counts[:, arm], mean)
    seen = float(_statistic(sample.sums[arm : arm + 1], sample.counts[arm : arm + 1], mean)[0])
    return tails_of(replayed, seen)


def tails_of(replayed: Floats, seen: float) -> Tails:
    """Return where a statistic lies among replayed ones, itself counted as one of them.

    >>> tails_of(np.array([1.0, 2.0, 3.0]), 2.0)
    Tails(below=0.75, above=0.75)
    """
    slack = 1e-9 * (1.0 + abs(seen))  # equal counts and sums must be equal statistics
    below, above = int((replayed <= seen + slack).sum()), int((replayed >= seen - slack).sum())
    return Tails((1 + below) / (len(replayed) + 1), (1 + above) / (len(replayed) + 1))


def simulated_ends(
    policy: Policy,
    sample: Sample,
    level: float,
    *,
    replays: int = REPLAYS,
    seed: int = SEED,
    threads: int | None = None,
    report: Report | None = None,
) -> tuple[Floats, Floats, int]:
    """Return both ends of each arm's interval, and how many replays were played.

    All means are tested on the same random numbers, so that the share of replays beyond the experiment rises or falls
    with the mean but for its rounding, and an end is found by bisection.
    """
    ordinary = interval_ends(sample, ordinary_method(sample.rewards), level, optimal_at=1.0)
    tests, n_arms = 0, len(sample.counts)
    ends = np.empty((2, n_arms))
    for place, (arm, side) in enumerate(product(range(n_arms), (0, 1))):
        width = float(ordinary[1][arm] - ordinary[0][arm])

        def rejected(mean: float, arm: int = arm, side: int = side) -> bool:
            nonlocal tests
            tests += 1
            found = tails(policy, sample, arm, mean, replays, seed, threads)
            return (found.below if side else found.above) < (1.0 - level) / 2.0

        limits = (sample.low, sample.high)
        ends[side, arm] = find_end(
            rejected, float(ordinary[side][arm]), limits[side], limits[1 - side], width
        )
        if report is not None:
            report((place + 1) / (2 * n_arms))
    return ends[0], ends[1], tests * replays


def find_end(
    rejected: Callable[[float], bool], start: float, outermost: float, innermost: float, width: float
) -> float:
    """Return the first rejected mean outside those that are kept, to a share of the width; or the outermost of all."""
    step = width / 4.0

    def towards(limit: float, mean: float) -> float:
        return min(limit, mean + step) if limit > mean else max(limit, mean - step)

    if rejected(start):
        outer, inner = start, towards(innermost, start)
        while inner != innermost and rejected(inner):
            step *= 2.0
            outer, inner = inner, towards(innermost, inner)
    else:
        inner, outer = start, towards(outermost, start)
        while outer != outermost and not rejected(outer):
            step *= 2.0
            inner, outer = outer, towards(outermost, outer)
    while abs(outer - inner) > _PRECISION * width:
        middle = (outer + inner) / 2.0
        inner, outer = (inner, middle) if rejected(middle) else (middle, outer)
    return outer


def replayable(policy: Policy | None, sample: Sample) -> Policy:
    """Return the policy of an experiment that can be replayed, or say why it cannot."""
    if policy is None:
        raise NotSupported("simulated intervals replay the policy, so give a play and not counts.")
    if sample.rewards == "bounded" or (sample.rewards == "gaussian" and sample.noise_scale is None):
        raise NotSupported(
            "simulated intervals are for 0/1 rewards, or Gaussian ones of known noise_scale: of others the law is not "
            "known, so they cannot be drawn again. Use method='anytime'."
        )
    if int(sample.counts.sum()) != policy.horizon:
        raise NotSupported(
            f"simulated intervals need the experiment at its end, all {policy.horizon:,} rewards known, because "
            f"replays end there; {int(sample.counts.sum()):,} are. Use method='anytime' before."
        )
    if int(sample.counts.min()) == 0:
        raise NotSupported("simulated intervals need a reward of every arm. Use method='anytime'.")
    return policy


def enough_replays(replays: int, level: float) -> int:
    """Return the number of replays of a test, which must be so many that a tail can be as small as the level asks."""
    fewest = max(100, math.ceil(2.0 / (1.0 - level)))
    return checks.integer(
        replays, "replays", at_least=fewest, remedy=f"A level of {level:g} needs that many."
    )


def instance_with(sample: Sample, means: dict[int, float]) -> Instance:
    """Return arms of which some have given means, and the others those that were estimated."""
    found = sample.means.copy()
    if sample.rewards == "bernoulli":
        found = (sample.sums + 1.0) / (sample.counts + 2.0)  # not 0 or 1: an arm that never varies
    found[list(means)] = list(means.values())
    if sample.rewards == "bernoulli":
        return Instance.bernoulli(found.tolist())
    scales = np.broadcast_to(np.asarray(sample.noise_scale), found.shape)
    return Instance.gaussian(found.tolist(), scales.tolist())


def _statistic(sums: Floats, counts: Integers, mean: float) -> Floats:
    """Return √n·(mean − μ), which has the same scale in all replays; nothing is known without a pull."""
    found: Floats = np.zeros(len(sums))
    np.divide(sums - counts * mean, np.sqrt(counts), out=found, where=counts > 0)
    return found
