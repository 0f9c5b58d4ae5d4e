"""Intervals by name, for whole arrays of experiments: Wald's, Wilson's, and the anytime-valid ones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtri, stdtrit

from steadyarm.errors import NotSupported
from steadyarm.inference.mixtures import bounded_ends, coin_ends, normal_half_widths
from steadyarm.inference.sample import Sample
from steadyarm.numerics.arrays import Floats

METHODS = ("wald", "wilson", "exact", "anytime")

TITLES = {
    "wald": "Wald's",
    "wilson": "Wilson's",
    "exact": "Clopper and Pearson's",
    "anytime": "Anytime-valid",
    "simulated": "Simulated",
    "auto": "The narrowest valid",
}
"""What people call the intervals of a method."""


def ordinary_method(rewards: str) -> str:
    """Return the method for rewards of a kind that takes the counts as fixed in advance."""
    return "wilson" if rewards == "bernoulli" else "wald"


def check_method(sample: Sample, method: str) -> None:
    """Refuse a method that is not made for these rewards, or that needs what the sample lacks."""
    if method in ("wilson", "exact") and sample.rewards != "bernoulli":
        raise NotSupported(
            f"{TITLES[method]} interval is for 0/1 rewards; these are {sample.rewards}. Use method='wald' or 'anytime'."
        )
    if method == "wald":
        _ = sample.variances
    if method != "anytime":
        return
    if sample.rewards == "gaussian" and sample.noise_scale is None:
        raise NotSupported(
            "the anytime-valid interval of Gaussian rewards needs a known σ. Give noise_scale=; or, if the rewards "
            "have a smallest and a largest possible value, rewards='bounded' with low= and high=; or, for one look at "
            "the planned end of a steady allocation, method='wald'."
        )
    if sample.rewards == "bounded" and sample.deviations is None:
        raise NotSupported(
            "the anytime-valid interval of bounded rewards learns their variance from the deviations Σ(x − mean of "
            "the rewards before it)²; they are not there. Give deviations=, or a play, which keeps them."
        )


def interval_ends(sample: Sample, method: str, level: float, *, optimal_at: float) -> tuple[Floats, Floats]:
    """Return both ends of the interval of every arm, inside the range of the rewards; without a reward, that range.

    >>> coins = Sample(np.array([100, 100]), np.array([3.0, 50.0]), None, None, "bernoulli", 0.0, 1.0, None)
    >>> for method in METHODS:
    ...     low, high = interval_ends(coins, method, 0.95, optimal_at=100)
    ...     print(method, low.round(3), high.round(3))
    wald [0.    0.402] [0.063 0.598]
    wilson [0.01  0.404] [0.085 0.596]
    exact [0.006 0.398] [0.085 0.602]
    anytime [0.001 0.351] [0.108 0.649]
    """
    check_method(sample, method)
    known = np.asarray(sample.counts) > 0
    # An arm without rewards is given one, so that all arms can be computed alike, and has the whole range at the end.
    counts, sums = np.where(known, sample.counts, 1), np.where(known, sample.sums, 0.0)
    if method == "anytime" and sample.rewards != "gaussian":
        low, high = _learning(sample, counts, sums, level, optimal_at)
    elif method == "wilson":
        low, high = wilson_ends(sums / counts, counts, level)
    elif method == "exact":
        low, high = clopper_pearson_ends(sums, counts, level)
    else:
        half = half_widths(sample, method, level, optimal_at)
        low, high = sums / counts - half, sums / counts + half
    low, high = np.clip(low, sample.low, sample.high), np.clip(high, sample.low, sample.high)
    return np.where(known, low, sample.low), np.where(known, high, sample.high)


def half_widths(sample: Sample, method: str, level: float, optimal_at: float) -> Floats:
    """Return half the width of a symmetric interval, infinite where nothing can be said."""
    counts = np.asarray(sample.counts)
    known = (counts > (0 if np.isinf(sample.degrees).all() else 1)) & sample.varies
    n = np.where(known, counts, 1)
    if method == "anytime":
        halves = normal_half_widths(n, sample.noise_scale, level, optimal_at)  # type: ignore[arg-type]
    else:
        halves = quantiles(np.where(known, sample.degrees, 1.0), level) * np.sqrt(sample.variances / n)
    return np.where(known, halves, np.inf)


def quantiles(degrees: npt.ArrayLike, level: float) -> Floats:
    """Return Student's two-sided quantiles, the normal's for infinite degrees of freedom.

    >>> quantiles([3.0, np.inf], 0.95).round(3)
    array([3.182, 1.96 ])
    """
    degrees = np.asarray(degrees, dtype=float)
    students = stdtrit(np.where(np.isinf(degrees), 1.0, degrees), (1.0 + level) / 2.0)
    found: Floats = np.where(np.isinf(degrees), ndtri((1.0 + level) / 2.0), students)
    return found


def wilson_ends(share: Floats, counts: npt.ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Return Wilson's score interval of a probability, from a share of `counts` trials.

    >>> low, high = wilson_ends(np.array([0.0, 0.5]), np.array([20, 20]), 0.95)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.299]), array([0.161, 0.701]))
    """
    below, above = wilson_reach(share, counts, float(ndtri((1.0 + level) / 2.0)))
    return np.where(share > 0.0, share - below, 0.0), np.where(share < 1.0, share + above, 1.0)


def wilson_reach(share: Floats, counts: npt.ArrayLike, z: Floats | float) -> tuple[Floats, Floats]:
    """Return how far Wilson's interval, of the rates within z of their standard errors, reaches to both sides."""
    n, square = np.asarray(counts, dtype=float), np.square(z)
    towards_half = (0.5 - share) * square / (n + square)
    half = np.sqrt(square * (share * (1.0 - share) / n + square / (4.0 * n * n))) / (1.0 + square / n)
    return half - towards_half, half + towards_half


def clopper_pearson_ends(ones: Floats, counts: npt.ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Return the rates at which so many ones, or more, and so many, or fewer, are not too rare.

    >>> low, high = clopper_pearson_ends(np.array([0.0, 10.0]), np.array([20, 20]), 0.95)
    >>> low.round(3), high.round(3)
    (array([0.   , 0.272]), array([0.168, 0.728]))
    """
    n, tail = np.asarray(counts, dtype=float), (1.0 - level) / 2.0
    some, most = np.maximum(ones, 1.0), np.minimum(ones, n - 1.0)  # 0 ones and n have their own ends below
    low = np.where(ones > 0.0, betaincinv(some, n - some + 1.0, tail), 0.0)
    high = np.where(ones < n, betaincinv(most + 1.0, np.maximum(n - most, 1.0), 1.0 - tail), 1.0)
    return low, high


def _learning(
    sample: Sample, counts: npt.NDArray[np.int64], sums: Floats, level: float, optimal_at: float
) -> tuple[Floats, Floats]:
    """Return the anytime-valid ends of rewards in a range, whose variance is learnt."""
    if sample.rewards == "bernoulli":
        return coin_ends(counts, sums, level, optimal_at)
    units, deviations = in_unit_range(sample, counts, sums)
    low, high = bounded_ends(counts, units, deviations, level, optimal_at)
    span = sample.high - sample.low
    return sample.low + span * low, sample.low + span * high


def in_unit_range(sample: Sample, counts: npt.NDArray[np.int64], sums: Floats) -> tuple[Floats, Floats]:
    """Return the sums and the deviations of bounded rewards as if they lay between 0 and 1."""
    span = sample.high - sample.low
    units: Floats = np.clip((sums - counts * sample.low) / span, 0.0, counts)
    return units, np.asarray(sample.deviations) / span**2
