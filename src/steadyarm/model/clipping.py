"""What clipping to [−clip, clip] does to the rewards of an instance: how often it changes one, and their moments."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats

_FAR = 9.0  # standard deviations between a mean and the clip that leave no digit of the moments to clipping


def clipping_chances(instance: Instance, clip: float) -> Floats:
    """Return for each arm the probability that clipping changes a reward.

    >>> clipping_chances(Instance.gaussian([0.0, 2.0]), clip=2.0).round(4)
    array([0.0455, 0.5   ])
    >>> clipping_chances(Instance.bernoulli([0.3, 0.6]), clip=1.0)
    array([0., 0.])
    """
    return np.array([_law(instance, arm, clip)[0] for arm in range(instance.n_arms)])


def clipped_moments(instance: Instance, clip: float) -> tuple[Floats, Floats]:
    """Return the means and the variances of the clipped rewards.

    >>> means, variances = clipped_moments(Instance.gaussian([0.0, 50.0]), clip=10.0)
    >>> means.tolist(), variances.tolist()
    ([0.0, 10.0], [1.0, 0.0])
    """
    means, variances = np.array(instance.means), instance.variances.copy()
    reach = _FAR * np.array(instance.noise_scales)  # of bounded rewards more than their range
    for arm in np.flatnonzero(np.abs(means) + reach > clip):
        _, mean, square = _law(instance, int(arm), clip)
        means[arm], variances[arm] = means[arm] + mean, max(0.0, square - mean * mean)
    return means, variances


@lru_cache(maxsize=256)
def kinds_of_arms(instance: Instance, clip: float) -> tuple[Floats, Floats, npt.NDArray[np.intp]]:
    """Return the distinct (mean, mean and variance once clipped), how many arms have each, and the kind of each arm.

    >>> kinds_of_arms(Instance.gaussian([0.5, 0.0, 0.5]), clip=math.inf)
    (array([[0. , 0. , 1. ],
           [0.5, 0.5, 1. ]]), array([1., 2.]), array([1, 0, 1]))
    """
    moments = np.column_stack([np.array(instance.means), *clipped_moments(instance, clip)])
    kinds, which, copies = np.unique(moments, axis=0, return_inverse=True, return_counts=True)
    return np.ascontiguousarray(kinds), copies.astype(float), which.reshape(-1)


def _law(instance: Instance, arm: int, clip: float) -> tuple[float, float, float]:
    """Return the chance of clipping, and the first two moments of (clipped reward − mean of the unclipped)."""
    mean = instance.means[arm]
    low, high = -clip - mean, clip - mean  # where a reward less its mean is clipped
    if instance.rewards == "bernoulli":
        zero, one = max(low, min(high, -mean)), max(low, min(high, 1.0 - mean))
        chance = mean if clip < 1.0 else 0.0
        return chance, mean * one + (1.0 - mean) * zero, mean * one * one + (1.0 - mean) * zero * zero
    if instance.rewards == "bounded":
        return _uniform(float(instance.scale[arm]) / 2.0, low, high)
    return _normal(instance.noise_scales[arm], low, high)


def _normal(sd: float, low: float, high: float) -> tuple[float, float, float]:
    a, b = low / sd, high / sd
    below, above = 0.5 * math.erfc(-a / math.sqrt(2.0)), 0.5 * math.erfc(b / math.sqrt(2.0))
    if not below + above > 0.0:
        return 0.0, 0.0, sd * sd
    at_a, at_b = (math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi) for x in (a, b))
    inside = max(0.0, 1.0 - below - above)
    first = low * below + high * above + sd * (at_a - at_b)
    second = low * low * below + high * high * above + sd * sd * (inside + a * at_a - b * at_b)
    return below + above, first, second


def _uniform(reach: float, low: float, high: float) -> tuple[float, float, float]:
    """Do so for the uniform law on [−reach, reach]."""
    left, right = (max(low, min(high, end)) for end in (-reach, reach))
    if reach == 0.0:
        return float(left != 0.0), left, left * left
    below = max(0.0, min(1.0, (low + reach) / (2.0 * reach)))
    above = max(0.0, min(1.0, (reach - high) / (2.0 * reach)))
    inside = max(0.0, 1.0 - below - above)
    first = left * below + right * above + inside * 0.5 * (left + right)
    second = left**2 * below + right**2 * above + inside * (left**2 + left * right + right**2) / 3.0
    return below + above, first, second
