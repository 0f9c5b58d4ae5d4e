"""How often an interval holds an arm's mean after adaptive collection: whole simulations at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.engines.result import Simulation
from steadyarm.inference.methods import METHODS, interval_ends
from steadyarm.inference.sample import Sample
from steadyarm.inference.validity import AUTO, chosen_methods, ends_as_chosen
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments
from steadyarm.numerics.arrays import Floats

ORACLE = "oracle"
"""Wald's interval with the true standard deviation, which only a simulation knows."""
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
    instance, policy = simulation.instance, simulation.policy
    rewards, low, high = instance.rewards, instance.low, instance.high
    scales = np.full(instance.n_arms, policy.noise_scale) if rewards == "gaussian" else None
    if method == ORACLE:
        rewards, low, high, scales = "gaussian", -np.inf, np.inf, np.sqrt(instance.variances)
    sample = Sample(simulation.counts, *moments, rewards, low, high, scales)

    def ends(part: Sample, name: str) -> tuple[Floats, Floats]:
        return interval_ends(part, name, simulation.level, optimal_at=policy.horizon / policy.n_arms)

    if method == AUTO:
        lows, highs = ends_as_chosen(sample, chosen_methods(sample, policy), ends)
    else:
        lows, highs = ends(sample, "wald" if method == ORACLE else method)
    means = np.array(instance.means)
    slack = 1e-9 * np.maximum(1.0, np.abs(means))  # a reward without any variance leaves rounding errors
    return Covered((lows <= means + slack) & (means - slack <= highs), highs - lows)
