"""How often an interval holds an arm's mean after adaptive collection: whole simulations at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

from steadyarm.engines.result import Simulation
from steadyarm.inference.methods import METHODS, interval_ends
from steadyarm.inference.sample import Sample
from steadyarm.inference.validity import choose_method
from steadyarm.model import checks
from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments
from steadyarm.theory.estimates import Estimate

ORACLE = "oracle"
"""Wald's interval with the true standard deviation, which only a simulation knows."""
AUTO = "auto"
"""What `sa.intervals` takes by itself, run by run."""
MEASURED = (ORACLE, *METHODS, AUTO)

_USUAL = {
    "gaussian": ("wald", "anytime"),
    "bernoulli": (ORACLE, "wald", "wilson", "anytime"),
    "bounded": (ORACLE, "wald", "anytime"),
}


class Covered(NamedTuple):
    """For each run and arm: whether the interval held the mean, and how wide it was."""

    held: npt.NDArray[np.bool_]
    width: Floats


def usual_methods(instance: Instance) -> tuple[str, ...]:
    """Return the intervals that there are for an instance's rewards, and the oracle's where σ has to be estimated."""
    checks.instance_of(instance, Instance, "instance")
    return _USUAL[instance.rewards]


def covered(simulation: Simulation, moments: Moments, method: str) -> Covered:
    """Build the intervals of `sa.intervals` for every run and arm from the moments of the rewards.

    They know what an experimenter knows: of Gaussian rewards the policy's σ, of others nothing but their range. The
    oracle's has the true standard deviation, so that nothing but the adaptive choice of the arms can spoil it.
    """
    instance = simulation.instance
    chosen = _chosen(simulation, moments) if method == AUTO else np.full(simulation.runs, method)
    low, high = (np.empty(simulation.counts.shape) for _ in range(2))
    for name in np.unique(chosen).tolist():
        runs = np.flatnonzero(chosen == name)
        low[runs], high[runs] = interval_ends(
            _sample(simulation, moments, runs, oracle=name == ORACLE),
            "wald" if name == ORACLE else name,
            simulation.level,
            optimal_at=simulation.policy.horizon / instance.n_arms,
        )
    means = np.array(instance.means)
    slack = 1e-9 * np.maximum(1.0, np.abs(means))  # a reward without any variance leaves rounding errors
    return Covered((low <= means + slack) & (means - slack <= high), high - low)


def _chosen(simulation: Simulation, moments: Moments) -> npt.NDArray[np.str_]:
    """Return the method that `sa.intervals` takes at the end of each run."""
    samples = (_sample(simulation, moments, run) for run in range(simulation.runs))
    return np.array([choose_method(sample, simulation.policy, finished=True).method for sample in samples])


def _sample(simulation: Simulation, moments: Moments, runs: int | Integers, oracle: bool = False) -> Sample:
    """Return what an experimenter knows at the end of some runs, or more."""
    instance = simulation.instance
    counts: Integers = simulation.counts[runs]
    sums, squares, deviations = (table[runs] for table in moments)
    rewards, low, high = instance.rewards, instance.low, instance.high
    scales = np.full(instance.n_arms, simulation.policy.noise_scale) if rewards == "gaussian" else None
    if oracle:
        rewards, low, high, scales = "gaussian", -np.inf, np.inf, np.sqrt(instance.variances)
    return Sample(counts, sums, squares, deviations, rewards, low, high, scales)


def share_estimate(successes: int, runs: int, level: float, method: str = "wilson") -> Estimate:
    """Estimate a probability from independent yeses and noes, with Wilson's interval or an "exact" one.

    >>> print(share_estimate(95, 100, 0.95))
    0.9500 [0.8882, 0.9785]
    """
    low, high = binomtest(successes, runs).proportion_ci(level, method=method)
    return Estimate(successes / runs, float(low), float(high), runs, level)
