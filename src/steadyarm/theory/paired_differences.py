"""Differences between two policies that were played on the same rewards: means and largest spreads, paired.

Both tables have one row a run, and row r of both saw the same rewards, so what the rewards did to both alike
cancels.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from steadyarm.errors import InvalidInput
from steadyarm.numerics.arrays import Floats
from steadyarm.theory.estimates import Estimate, largest_sd_estimate, mean_estimate


def mean_difference(one: npt.ArrayLike, other: npt.ArrayLike, level: float = 0.95) -> Estimate:
    """Estimate the mean of one − other, run by run, with Student's interval.

    >>> print(mean_difference([5.0, 7.0, 9.0, 8.0], [4.0, 6.5, 8.0, 7.5]))
    0.7500 [0.2907, 1.2093]
    """
    left, right = _paired(one, other)
    return mean_estimate(left - right, level)


def largest_sd_difference(one: npt.ArrayLike, other: npt.ArrayLike, level: float = 0.95) -> Estimate:
    """Estimate the difference of two policies' largest standard deviations, from (runs, arms) tables.

    The two intervals of `largest_sd_estimate`, which know about kurtosis and near-equal arms, are joined by
    the method of variance estimates recovery: each end of the difference takes the half-width that matters to
    it from either, less what their correlation explains. G. Y. Zou and A. Donner, "Construction of confidence
    limits about effect measures", Statistics in Medicine 27 (2008) 1693–1702.
    """
    left, right = _paired(one, other)
    a, b = largest_sd_estimate(left, level), largest_sd_estimate(right, level)
    runs = len(left)
    if runs >= 2 and left.shape == right.shape and np.array_equal(left, right):
        return Estimate(0.0, 0.0, 0.0, runs, level)
    difference = a.value - b.value
    if not all(math.isfinite(end) for end in (difference, a.low, a.high, b.low, b.high)):
        return Estimate(difference, -math.inf, math.inf, runs, level)
    correlation = _spread_correlation(left, right)
    below = _joined(a.value - a.low, b.high - b.value, correlation)
    above = _joined(a.high - a.value, b.value - b.low, correlation)
    return Estimate(difference, difference - below, difference + above, runs, level)


def _paired(one: npt.ArrayLike, other: npt.ArrayLike) -> tuple[Floats, Floats]:
    left, right = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if len(left) != len(right):
        raise InvalidInput(f"pairs need the same runs on both sides; got {len(left)} and {len(right)}.")
    return left, right


def _joined(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one * one + other * other - 2.0 * correlation * one * other))


def _spread_correlation(left: Floats, right: Floats) -> float:
    """Return the correlation of the errors of the two largest standard deviations (delta method)."""
    one, other = _squares(left), _squares(right)
    scale = float(one.std() * other.std())
    if not scale > 0.0:
        return 0.0
    return float(((one - one.mean()) * (other - other.mean())).mean() / scale)


def _squares(table: Floats) -> Floats:
    """Squared deviations in the column that strays the most."""
    column = table[:, int(table.std(axis=0).argmax())]
    squares: Floats = (column - column.mean()) ** 2
    return squares
