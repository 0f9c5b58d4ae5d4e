"""What an experimenter says of the rewards, and the gaps between arms that it allows."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.errors import InvalidInput
from steadyarm.model import checks

Floats = npt.NDArray[np.float64]

_GAPS = 40


class RewardClass(NamedTuple):
    """What the experimenter says of the rewards: M, σ, and how far apart two means can be at most."""

    mean_bound: float
    noise_scale: float
    widest_gap: float

    def hard_gaps(self, horizon: int) -> Floats:
        """Return a grid of gaps up to the widest, all arms equal first.

        The best mean is put at 0: a shift of all means moves no count.

        >>> class_of("bernoulli").hard_gaps(10_000)[[0, 1, -1]].tolist()
        [0.0, 0.005, 1.0]
        """
        finest = min(self.widest_gap, self.noise_scale / math.sqrt(horizon))
        return np.concatenate([[0.0], np.geomspace(finest, self.widest_gap, _GAPS)])


def class_of(
    rewards: str,
    mean_bound: float | None = None,
    noise_scale: float | None = None,
    low: float | None = None,
    high: float | None = None,
) -> RewardClass:
    """Return the class that the experimenter described.

    >>> class_of("gaussian")
    RewardClass(mean_bound=1.0, noise_scale=1.0, widest_gap=2.0)
    >>> class_of("bounded", low=-2.0, high=4.0)
    RewardClass(mean_bound=4.0, noise_scale=3.0, widest_gap=6.0)
    """
    checks.one_of(rewards, "rewards", ("gaussian", "bernoulli", "bounded"))
    if rewards != "bounded" and not (low is None and high is None):
        raise InvalidInput(f"low and high are for bounded rewards; these are {rewards}. Leave them out.")
    least = checks.real(0.0 if low is None else low, "low")
    most = checks.real(1.0 if high is None else high, "high", above=least, remedy="Rewards lie between them.")
    if rewards == "gaussian":
        bound, noise = 1.0, 1.0
    else:
        bound, noise = max(abs(least), abs(most)), (most - least) / 2.0
    bound = bound if mean_bound is None else checks.real(mean_bound, "mean_bound", above=0.0)
    noise = noise if noise_scale is None else checks.real(noise_scale, "noise_scale", above=0.0)
    if rewards == "gaussian":
        least, most = -bound, bound
    widest = min(most, bound) - max(least, -bound)
    if widest <= 0.0:
        raise InvalidInput(
            f"means within ±{bound:g} cannot come from rewards between {least:g} and {most:g}. "
            "Give a larger mean_bound, or leave it out."
        )
    return RewardClass(bound, noise, widest)
