"""Estimates with intervals: means, standard deviations, and the largest of several standard deviations.

A standard deviation gets Bonett's interval, which measures the kurtosis of the sample: pull counts can be
bimodal or heavy-tailed, and the textbook χ² interval is wrong for both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats

FEWEST_FOR_AN_INTERVAL = 6
"""Runs: a standard deviation of fewer has no interval."""

_ROUNDING = 1e-14  # of a mean, below which a standard deviation is the arithmetic's


@dataclass(frozen=True)
class Estimate:
    """A measured value, its confidence interval and the number of runs behind it.

    >>> print(Estimate(12.346, 11.9, 12.81, runs=1000))
    12.35 [11.90, 12.81]
    """

    value: float
    low: float
    high: float
    runs: int
    level: float = 0.95

    @property
    def relative_half_width(self) -> float:
        """Half the interval's length over the value; 0 for an exact zero."""
        if self.low == self.high:
            return 0.0
        return (self.high - self.low) / 2.0 / abs(self.value) if self.value else math.inf

    def over(self, unit: float) -> Estimate:
        """Return the same in another unit, a positive number of the present one."""
        return replace(self, value=self.value / unit, low=self.low / unit, high=self.high / unit)

    def columns(self, name: str) -> dict[str, float]:
        """Return value and interval as a row of a table has them.

        >>> Estimate(12.0, 11.0, 13.5, runs=1000).columns("regret")
        {'regret': 12.0, 'regret_low': 11.0, 'regret_high': 13.5}
        """
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}

    def to_dict(self) -> dict[str, float | int | None]:
        """Return a plain dict, with None for what is not finite."""
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        finite: dict[str, float | int | None] = {
            name: number if math.isfinite(number) else None for name, number in numbers.items()
        }
        return finite | {"runs": self.runs, "level": self.level}

    def __str__(self) -> str:
        digits = max(0, 3 - math.floor(math.log10(abs(self.value)))) if _ordinary(self.value) else 0
        digits = min(digits, 2) if abs(self.value) >= 10 else digits
        width = self.high - self.low
        if _ordinary(width) and (self.value == 0.0 or round(self.low, digits) == round(self.high, digits)):
            digits = max(digits, 2 - math.floor(math.log10(width)))
        return f"{self.value:,.{digits}f} [{self.low:,.{digits}f}, {self.high:,.{digits}f}]"


UNKNOWN = Estimate(math.nan, math.nan, math.nan, 0)
"""Of what is not defined."""


def check_level(level: float) -> float:
    """Return a confidence level strictly between 0 and 1."""
    level = checks.real(level, "level", above=0.0, at_most=1.0, remedy="95 % is 0.95.")
    if level == 1.0:
        raise InvalidInput(
            "level must be below 1; got 1.0. A certain interval is infinite; use 0.95 or 0.99."
        )
    return level


def mean_estimate(sample: npt.ArrayLike, level: float = 0.95) -> Estimate:
    """Estimate a mean, with Student's interval.

    >>> print(mean_estimate([1.0, 2.0, 3.0, 4.0]))
    2.500 [0.446, 4.554]
    """
    values = np.asarray(sample, dtype=float)
    runs, mean = values.size, float(values.mean())
    if runs < 2:
        return Estimate(mean, -math.inf, math.inf, runs, level)
    deviation = float(values.std(ddof=1))
    if deviation <= _ROUNDING * abs(mean):  # the values are one value, each with its own rounding
        deviation = 0.0
    half = float(stdtrit(runs - 1, (1.0 + level) / 2.0) * deviation / math.sqrt(runs))
    return Estimate(mean, mean - half, mean + half, runs, level)


def sd_estimate(sample: npt.ArrayLike, level: float = 0.95) -> Estimate:
    """Estimate a standard deviation, with Bonett's kurtosis-aware interval.

    D. G. Bonett, "Approximate confidence interval for standard deviation of nonnormal distributions",
    Computational Statistics & Data Analysis 50 (2006) 775–782.

    >>> print(sd_estimate(np.arange(100.0)))
    29.01 [26.42, 32.00]
    """
    return largest_sd_estimate(np.asarray(sample, dtype=float)[:, None], level)


def largest_sd_estimate(samples: npt.ArrayLike, level: float = 0.95) -> Estimate:
    """Estimate the largest standard deviation among the columns of a (runs, arms) table.

    The upper end is the largest of the columns' own upper ends. The lower end allows for the choice of the
    largest of several near-equal columns: it uses a quantile of the largest of the correlated errors of all
    columns that may be the largest, such that both ends together miss with probability 1 − level if these
    columns are equal, and with less if they are not. From about 200 runs on the nominal level is met.
    """
    table = np.asarray(samples, dtype=float)
    runs = table.shape[0]
    if runs < 2:
        return Estimate(math.nan, 0.0, math.inf, runs, level)
    sd = table.std(axis=0, ddof=1)
    largest = float(sd.max())
    moving = sd > 1e-12 * max(1.0, float(np.abs(table).max()))
    if not moving.any():
        return Estimate(0.0, 0.0, 0.0, runs, level)
    if runs < FEWEST_FOR_AN_INTERVAL:
        return Estimate(largest, 0.0, math.inf, runs, level)
    table, sd = table[:, moving], sd[moving]
    z = float(ndtri((1.0 + level) / 2.0))
    error = _log_sd_errors(table, sd)
    correction = math.log(runs / (runs - min(z, runs / 2.0))) / 2.0 * _share_of_correction(error, runs)
    log_sd, error = np.log(sd) + correction, error * np.exp(2.0 * correction)
    high = float(np.exp((log_sd + z * error).max()))
    rivals = np.flatnonzero(log_sd >= (log_sd - 2.0 * z * error).max())
    centred = ((table[:, rivals] - table[:, rivals].mean(axis=0)) / sd[rivals]) ** 2
    quantile = _largest_error_quantile(centred, z, level)
    # Among near-equal columns the one that came out largest tends to have too small an error: pool them.
    pooled = math.sqrt(float((error[rivals] ** 2).mean()))
    # On the scale of variances, where a two-point count is not skewed upwards.
    low = float(np.exp(log_sd[rivals].max())) * math.sqrt(max(0.0, 1.0 - 2.0 * quantile * pooled))
    return Estimate(largest, min(low, largest), max(high, largest), runs, level)


def share_estimate(successes: int, runs: int, level: float = 0.95, method: str = "wilson") -> Estimate:
    """Estimate a probability from independent yeses and noes, with Wilson's interval or an "exact" one.

    >>> print(share_estimate(95, 100, 0.95))
    0.9500 [0.8882, 0.9785]
    """
    from scipy.stats import binomtest  # slow to import

    low, high = binomtest(successes, runs).proportion_ci(level, method=method)
    return Estimate(successes / runs, float(low), float(high), runs, level)


_MOST_CORRELATED = 50
_DRAWS = 20_000


def _log_sd_errors(table: Floats, sd: Floats) -> Floats:
    """Standard errors of log sd for each column (Bonett's, with the kurtosis about a trimmed mean)."""
    runs = table.shape[0]
    cut = int(runs / (2.0 * math.sqrt(runs - 4.0)))
    trimmed = np.sort(table, axis=0)[cut : runs - cut].mean(axis=0)
    kurtosis = ((table - trimmed) ** 4).sum(axis=0) * runs / ((runs - 1.0) * sd**2) ** 2
    spread = np.maximum(kurtosis - (runs - 3.0) / runs, 0.0)
    errors: Floats = np.sqrt(spread / (runs - 1.0)) / 2.0
    return errors


def _share_of_correction(errors: Floats, runs: int) -> Floats:
    """Return how much of Bonett's small-sample shift a column gets: all of it at a normal's kurtosis of 3.

    At a kurtosis near 1 (a count with two sharp peaks) the shift is larger than the interval itself, and half of it
    gives the nominal level; that half was found by simulation, on such counts of SLE-UCB.
    """
    excess = 4.0 * errors**2 * (runs - 1.0) - 3.0 / runs  # kurtosis − 1
    share: Floats = 0.5 + 0.5 * np.clip(excess / 2.0, 0.0, 1.0)
    return share


def _largest_error_quantile(centred: Floats, z: float, level: float) -> float:
    """Return k with P(Z > k) + P(Z < −z) = 1 − level.

    Z is the largest of standard normals that are correlated like the columns; of very many columns, of
    independent ones, which is on the safe side.
    """
    columns = centred.shape[1]
    if columns == 1:
        return z
    if columns > _MOST_CORRELATED:
        return float(ndtri(level ** (1.0 / columns)))
    covariance = np.cov(centred, rowvar=False) + 1e-12 * np.eye(columns)
    deviation = np.sqrt(np.diag(covariance))
    eigenvalues, vectors = np.linalg.eigh(covariance / np.outer(deviation, deviation))
    factor = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
    largest = (_normals(columns) @ factor.T).max(axis=1)
    return float(np.quantile(largest, min(1.0, level + (largest < -z).mean())))


@cache
def _normals(columns: int) -> Floats:
    return np.random.default_rng(0).standard_normal((_DRAWS, columns))


def _ordinary(value: float) -> bool:
    return math.isfinite(value) and value != 0.0
