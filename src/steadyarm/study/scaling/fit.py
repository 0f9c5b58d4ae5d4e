"""Exponents from measurements: a straight line through logarithms, with the errors of the runs."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from steadyarm.errors import InvalidInput
from steadyarm.theory.estimates import Estimate
from steadyarm.words import counted

Floats = npt.NDArray[np.float64]


def log_error(low: float, high: float) -> float:
    """Return the half-width of an interval on the scale of logarithms; infinite if it reaches zero."""
    if not (low > 0.0 and math.isfinite(high)):
        return math.inf
    return math.log(high / low) / 2.0


def fit_exponents(
    sizes: Floats, values: Floats, half_widths: Floats, *, level: float, runs: int
) -> tuple[list[Estimate], float]:
    """Fit log value = a + Σ b_j·log size_j and return the exponents b_j with the lack of fit.

    Args:
        sizes: one row a measurement, one column a size.
        values: what was measured.
        half_widths: of the intervals of log value, at the same level.
        level: of the intervals of the exponents.
        runs: behind each measurement, for the record.

    The lack of fit is √(χ²/degrees of freedom): 1 if the points stray from the line as their errors say, more if
    they do not lie on a line. From 1 on it widens the intervals, and Student's quantile is taken.

    >>> sizes = np.array([[10.0], [100.0], [1000.0]])
    >>> (slope,), lack = fit_exponents(sizes, 3.0 * sizes[:, 0] ** 1.5, np.full(3, 0.01), level=0.95, runs=100)
    >>> round(slope.value, 6), lack < 1e-6, slope.low < 1.5 < slope.high
    (1.5, True, True)
    """
    number, unknowns = sizes.shape[0], sizes.shape[1] + 1
    if number < unknowns:
        raise InvalidInput(
            f"a fit of {counted(unknowns - 1, 'exponent')} needs at least {unknowns} measurements; got {number}."
        )
    design = np.column_stack([np.ones(number), np.log(sizes)])
    target = np.log(values)
    # A regret without any spread between runs has no error of its own; it still counts for no more than others.
    floor = max(1e-6, 1e-3 * float(np.median(half_widths)))
    z = float(-stdtrit(1e9, (1.0 - level) / 2.0))
    errors = np.maximum(half_widths, floor) / z
    weighted = design / errors[:, None]
    solution, _, rank, _ = np.linalg.lstsq(weighted, target / errors, rcond=None)
    if rank < unknowns:
        raise InvalidInput("an exponent needs at least two different sizes.")
    freedom = number - unknowns
    residuals = (target - design @ solution) / errors
    lack = math.sqrt(float(residuals @ residuals) / freedom) if freedom else 0.0
    deviations = np.sqrt(np.diag(np.linalg.inv(weighted.T @ weighted)))
    quantile = float(-stdtrit(freedom, (1.0 - level) / 2.0)) * lack if freedom and lack > 1.0 else z
    return [
        Estimate(float(b), float(b - max(quantile, z) * d), float(b + max(quantile, z) * d), runs, level)
        for b, d in zip(solution[1:], deviations[1:], strict=True)
    ], lack
