"""How often an interval holds an arm's mean after adaptive collection: whole simulations at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

from steadyarm.engines.result import Simulation
from steadyarm.inference.methods import half_widths
from steadyarm.inference.sample import Sample
from steadyarm.theory.estimates import Estimate

Floats = npt.NDArray[np.float64]


class Covered(NamedTuple):
    """For each run and arm: whether the interval held the mean, and how wide it was."""

    held: npt.NDArray[np.bool_]
    width: Floats


def covered(simulation: Simulation, sums: Floats, method: str) -> Covered:
    """Build the intervals of `sa.intervals` for every run and arm from the sums of the rewards.

    Wald's have the true standard deviation, so that nothing but the adaptive choice of the arms can spoil
    them; the anytime ones have the σ for which the rewards are σ-sub-Gaussian, and are narrowest at T/K
    pulls. An arm that was never pulled has the whole line for an interval.
    """
    instance, counts = simulation.instance, simulation.counts
    scales = np.sqrt(instance.variances) if method == "wald" else np.array(instance.noise_scales)
    best = simulation.policy.horizon / simulation.policy.n_arms
    sample = Sample(counts, sums, None, None, "gaussian", -np.inf, np.inf, scales)
    halves = half_widths(sample, method, simulation.level, best)
    strays = np.abs(sums - counts * np.array(instance.means))
    # A reward without any variance still leaves rounding errors in its sum.
    slack = 1e-9 * np.maximum(1.0, np.abs(sums))
    reach = np.multiply(halves, counts, out=np.full(halves.shape, np.inf), where=counts > 0)
    return Covered(strays <= reach + slack, 2.0 * halves)


def share_estimate(successes: int, runs: int, level: float, method: str = "wilson") -> Estimate:
    """Estimate a probability from independent yeses and noes, with Wilson's interval or an "exact" one.

    >>> print(share_estimate(95, 100, 0.95))
    0.9500 [0.8882, 0.9785]
    """
    low, high = binomtest(successes, runs).proportion_ci(level, method=method)
    return Estimate(successes / runs, float(low), float(high), runs, level)
