"""p-values of differences: the least 1 − level at which the interval of a difference leaves out 0.

An ordinary one is for one look, at the planned end. An anytime-valid one is 1/E for a process E that is 1 or less on
average whenever you look, if both means are equal: by Ville's inequality it ever falls to α with probability at most
α. E is tuned for the level that is asked for, as the interval is, and valid for all.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, stdtr

from steadyarm.inference.methods import in_unit_range
from steadyarm.inference.mixtures import (
    bounded_difference_evidence,
    coin_difference_evidence,
    normal_difference_evidence,
)
from steadyarm.inference.pairs import Pairs, Sides, newcombe_reach, sides_of, welch_errors
from steadyarm.inference.sample import Sample
from steadyarm.numerics.arrays import Floats

_FARTHEST = 38.0  # standard errors: beyond it a tail is no double
_HALVINGS = 60


def p_values(sample: Sample, method: str, level: float, pairs: Pairs, *, optimal_at: float) -> Floats:
    """Return for each pair the p-value of equal means: below 1 − level if `difference_ends` at `level` leaves out 0.

    >>> coins = Sample(np.array([150, 150]), np.array([8.0, 21.0]), None, None, "bernoulli", 0.0, 1.0, None)
    >>> for method in ("wald", "wilson", "anytime"):
    ...     print(method, p_values(coins, method, 0.95, [(1, 0)], optimal_at=150).round(4))
    wald [0.0102]
    wilson [0.0128]
    anytime [0.357]
    """
    sides = sides_of(sample, method, pairs)
    if method == "wald":
        found = _welch(sides)
    elif method == "wilson":
        found = _newcombe(sides)
    else:
        found = np.exp(-np.maximum(_evidence(sides, 1.0 - level, optimal_at), 0.0))
    return np.where(sides.known, np.minimum(found, 1.0), 1.0)


def _welch(sides: Sides) -> Floats:
    """Return Welch's p-values, which are the normal's if no variance is estimated."""
    errors, degrees = welch_errors(sides)
    scores = np.zeros(errors.shape)
    np.divide(np.abs(sides.one.means - sides.other.means), errors, out=scores, where=errors > 0.0)
    students = stdtr(np.where(np.isinf(degrees), 1.0, degrees), -scores)
    chances: Floats = 2.0 * np.where(np.isinf(degrees), ndtr(-scores), students)
    return chances


def _newcombe(sides: Sides) -> Floats:
    """Return the p-values of Newcombe's intervals: how many errors wide they are when they reach 0, by bisection."""
    middle = sides.one.means - sides.other.means
    inside, outside = np.full(middle.shape, _FARTHEST), np.zeros(middle.shape)
    for _ in range(_HALVINGS):
        z = (inside + outside) / 2.0
        below, above = newcombe_reach(sides, z)
        holds = np.where(middle > 0.0, below >= middle, above >= -middle)
        inside, outside = np.where(holds, z, inside), np.where(holds, outside, z)
    chances: Floats = 2.0 * ndtr(-outside)
    return chances


def _evidence(sides: Sides, alpha: float, optimal_at: float) -> Floats:
    """Return the logarithm of the anytime-valid evidence against equal means, tuned for an interval at 1 − α."""
    one, other = sides.one, sides.other
    counts = (one.counts, other.counts)
    if one.rewards == "gaussian":
        scales = (np.asarray(one.noise_scale), np.asarray(other.noise_scale))
        return normal_difference_evidence(one.means - other.means, counts, scales, alpha, optimal_at)
    if one.rewards == "bernoulli":
        return coin_difference_evidence(counts, (one.sums, other.sums), alpha, optimal_at)
    (sum_one, away_one), (sum_other, away_other) = (
        in_unit_range(side, side.counts, side.sums) for side in (one, other)
    )
    # Each of the four ends of two intervals may miss with a quarter of α.
    return bounded_difference_evidence(
        counts, (sum_one, sum_other), (away_one, away_other), alpha / 4.0, optimal_at
    ) - math.log(4.0)
