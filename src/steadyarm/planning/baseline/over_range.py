"""Averages over the plausible range from few draws of it.

What equal shares lose is known on every draw and on average, and so it says how lucky the draws were.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from steadyarm.numerics.arrays import Floats
from steadyarm.planning.baseline.situation import Situation
from steadyarm.theory.estimates import Estimate, mean_estimate

_FEWEST = 10  # draws for a regression
_NUMBERS = 2_000_000  # that are drawn for what equal shares lose


def equal_shares_lose(situation: Situation, seed: int, level: float) -> Estimate:
    """Return what equal shares lose on average over the range, by so many draws that the error hardly shows.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> test = describe(n_arms=2, horizon=1000, baseline=0.5, smallest_difference=0.1, differences=(0.0, 0.2))
    >>> round(equal_shares_lose(test, seed=0, level=0.95).value)
    50
    """
    means = situation.plausible_means(max(1000, _NUMBERS // situation.n_arms), seed)
    return mean_estimate(situation.horizon * (means.max(axis=1) - means.mean(axis=1)), level)


def regressed(lost: Floats, equal: Floats, expected: Estimate) -> Estimate:
    """Estimate what is lost on average, from draws on which equal shares lose `equal`, and `expected` on average.

    By least squares: the line through the draws at the expected value, with its usual interval.

    >>> equal = np.arange(20.0)
    >>> regressed(3.0 + 0.5 * equal, equal, Estimate(15.0, 15.0, 15.0, 10**6)).value
    10.5
    """
    from scipy.stats import linregress  # here: servers start without it

    n = len(lost)
    if n < _FEWEST or not np.ptp(equal) > 0.0:
        return mean_estimate(lost, expected.level)
    line = linregress(equal, lost)
    away = expected.value - float(equal.mean())
    value = float(lost.mean() + line.slope * away)
    scatter = np.sqrt(np.sum((lost - line.intercept - line.slope * equal) ** 2) / (n - 2))
    error = stdtrit(n - 2, (1.0 + expected.level) / 2.0) * np.hypot(scatter / np.sqrt(n), away * line.stderr)
    half = float(np.hypot(error, line.slope * 0.5 * (expected.high - expected.low)))
    return Estimate(value, value - half, value + half, n, expected.level)
