"""Anytime-valid intervals: the means against which no mixture of bets has won too much, whenever you look.

Each mixture is a nonnegative martingale, or supermartingale, under the true mean, whatever policy chose the pulls. By
Ville's inequality it ever reaches 1/α with probability α at most. S. R. Howard, A. Ramdas, J. McAuliffe and
J. Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49 (2021).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import digamma, gammainc, gammaln, xlog1py, xlogy

from steadyarm.numerics.arrays import Floats, Integers

_HALVINGS = 40
_SMALLEST = 2.0**-53  # distance of a rate to 0 and 1 where evidence is computed
_SECTIONS = 14  # of a golden-section search; a thousandth of the range is left, and counts squared
_GUESSED_VARIANCE = (
    1.0 / 20.0
)  # of a reward in [0, 1], before any is seen; decides where an interval is narrowest


def concentration(optimal_at: float, alpha: float) -> float:
    """Return the ρ, in pulls, at which a mixture's interval at level 1 − α is about narrowest at `optimal_at` pulls.

    >>> round(concentration(1000, 0.05), 1)
    126.0
    """
    spread = 2.0 * math.log(1.0 / min(alpha, 0.5))
    return optimal_at / (spread + math.log1p(spread))


def normal_half_widths(
    counts: npt.ArrayLike, scales: npt.ArrayLike, level: float, optimal_at: float
) -> Floats:
    """Return half the width of the normal mixture's interval, for rewards that are σ-sub-Gaussian.

    >>> normal_half_widths([1000], 1.0, 0.95, optimal_at=1000).round(4)
    array([0.1037])
    """
    n, a = np.asarray(counts, dtype=float), (1.0 - level) / 2.0
    rho = concentration(optimal_at, a)
    reach: Floats = np.sqrt((n + rho) * (np.log1p(n / rho) + 2.0 * math.log(1.0 / a))) / n
    return np.asarray(scales) * reach


def coin_evidence(rate: npt.ArrayLike, counts: Integers, ones: Floats, rho: float) -> Floats:
    """Return the logarithm of the beta-binomial mixture against a rate: a martingale if the rate is true.

    Bets on all other rates θ ~ Beta(ρp, ρ(1 − p)), each with its likelihood ratio. Convex in the rate p.

    >>> float(coin_evidence(0.5, np.array(20), np.array(18.0), 5.0).round(3))
    4.972
    """
    p = np.clip(rate, _SMALLEST, 1.0 - _SMALLEST)
    noughts = counts - ones
    bets = _log_rising(rho * p, ones) + _log_rising(rho * (1.0 - p), noughts) - _log_rising(rho, counts)
    evidence: Floats = bets - xlogy(ones, p) - xlog1py(noughts, -p)
    return evidence


def coin_ends(counts: Integers, ones: Floats, level: float, optimal_at: float) -> tuple[Floats, Floats]:
    """Return the rates between which the evidence of 0/1 rewards stays below log(1/α)."""
    rho, share = concentration(optimal_at, 1.0 - level), ones / counts

    def against(rate: Floats) -> npt.NDArray[np.bool_]:
        return coin_evidence(rate, counts, ones, rho) >= math.log(1.0 / (1.0 - level))

    return _farthest(against, share, np.zeros_like(share)), _farthest(against, share, np.ones_like(share))


def normal_difference_half_widths(
    counts: tuple[Integers, Integers], scales: tuple[Floats, Floats], level: float, optimal_at: float
) -> Floats:
    """Return half the width of the interval of a difference of two σ-sub-Gaussian means.

    The evidence against both means is the sum of two; below log(1/α) it holds an ellipse, with the difference's ends.
    It is about a quarter narrower than two intervals at half the α.
    """
    alpha = 1.0 - level
    axes, price = _ellipse(counts, scales, concentration(optimal_at, math.sqrt(alpha)))
    half: Floats = np.sqrt(2.0 * axes * (math.log(1.0 / alpha) + price))
    return half


def normal_difference_evidence(
    difference: Floats,
    counts: tuple[Integers, Integers],
    scales: tuple[Floats, Floats],
    alpha: float,
    optimal_at: float,
) -> Floats:
    """Return the evidence against equal means: the least against any common one, as the interval at 1 − α has it."""
    axes, price = _ellipse(counts, scales, concentration(optimal_at, math.sqrt(alpha)))
    evidence: Floats = difference**2 / (2.0 * axes) - price
    return evidence


def _ellipse(
    counts: tuple[Integers, Integers], scales: tuple[Floats, Floats], rho: float
) -> tuple[Floats, Floats]:
    """Return the sum of the squared axes of the ellipse that the evidence of two arms draws, and what mixing costs."""
    pulls = [np.asarray(n, dtype=float) for n in counts]
    axes = [sigma**2 * (n + rho) / n**2 for n, sigma in zip(pulls, scales, strict=True)]
    return axes[0] + axes[1], 0.5 * (np.log1p(pulls[0] / rho) + np.log1p(pulls[1] / rho))


def coin_difference_lows(
    counts: tuple[Integers, Integers], ones: tuple[Floats, Floats], level: float, optimal_at: float
) -> Floats:
    """Return the least difference p − q of two rates against which the sum of their evidence stays below log(1/α).

    For each share of that budget spent on p the rest is for q; the difference is convex in the share.
    """
    alpha = 1.0 - level
    rho, threshold = concentration(optimal_at, math.sqrt(alpha)), math.log(1.0 / alpha)
    tops = [_least_evident([(n, s)], rho) for n, s in zip(counts, ones, strict=True)]
    least = [coin_evidence(p, n, s, rho) for p, n, s in zip(tops, counts, ones, strict=True)]
    begin, end = least[0], threshold - least[1]

    def difference(spent: Floats) -> Floats:
        def against_p(rate: Floats) -> npt.NDArray[np.bool_]:
            return coin_evidence(rate, counts[0], ones[0], rho) >= spent

        def against_q(rate: Floats) -> npt.NDArray[np.bool_]:
            return coin_evidence(rate, counts[1], ones[1], rho) >= threshold - spent

        p = _farthest(against_p, tops[0], np.zeros_like(tops[0]))
        return p - _farthest(against_q, tops[1], np.ones_like(tops[1]))

    return _least(difference, begin, end)


def coin_difference_evidence(
    counts: tuple[Integers, Integers], ones: tuple[Floats, Floats], alpha: float, optimal_at: float
) -> Floats:
    """Return the evidence against equal rates: the least against any common one, as the interval at 1 − α has it."""
    rho = concentration(optimal_at, math.sqrt(alpha))
    arms = list(zip(counts, ones, strict=True))
    rate = _least_evident(arms, rho)
    evidence: Floats = sum((coin_evidence(rate, n, s, rho) for n, s in arms), np.zeros_like(rate))
    return evidence


def bounded_ends(
    counts: Integers, sums: Floats, deviations: Floats, level: float, optimal_at: float
) -> tuple[Floats, Floats]:
    """Return the ends of empirical Bernstein intervals for rewards in [0, 1], by the gamma-exponential mixture.

    The deviations begin with the second reward. The first is at most ½ away from a guess of ½.
    """
    v, alpha = deviations + 0.25, (1.0 - level) / 2.0
    rho = concentration(_GUESSED_VARIANCE * optimal_at, alpha)

    def low(total: Floats) -> Floats:
        def against(mean: Floats) -> npt.NDArray[np.bool_]:
            return bernstein_evidence(total - counts * mean, v, rho) >= math.log(1.0 / alpha)

        share = total / counts
        return _farthest(against, share, np.zeros_like(share))

    return low(sums), 1.0 - low(counts - sums)


def bounded_difference_evidence(
    counts: tuple[Integers, Integers],
    sums: tuple[Floats, Floats],
    deviations: tuple[Floats, Floats],
    tail: float,
    optimal_at: float,
) -> Floats:
    """Return the evidence at which the intervals of two means part: that both have against where they would meet.

    It is the evidence of either alone; `tail` is the α of one end that the interval was tuned for.
    """
    rho = concentration(_GUESSED_VARIANCE * optimal_at, tail)
    means = [total / n for n, total in zip(counts, sums, strict=True)]
    upper = np.greater_equal(*means)  # whether the first is the larger
    n, total, v = (
        (np.where(upper, a, b), np.where(upper, b, a))
        for a, b in (counts, sums, [d + 0.25 for d in deviations])
    )
    low, high = np.minimum(*means), np.maximum(*means)

    def larger(mean: Floats) -> Floats:
        return bernstein_evidence(np.maximum(total[0] - n[0] * mean, 0.0), v[0], rho)

    def smaller(mean: Floats) -> Floats:
        return bernstein_evidence(np.maximum(n[1] * mean - total[1], 0.0), v[1], rho)

    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        before = larger(middle) > smaller(middle)
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    return np.minimum(larger(low), smaller(high))


def bernstein_evidence(excess: Floats, variance: Floats, rho: float) -> Floats:
    """Return the logarithm of the gamma-exponential mixture of exp(λS − ψ(λ)V), ψ(λ) = −log(1 − λ) − λ, for S ≥ 0.

    A supermartingale for rewards in [0, 1] if S is their sum less n times a mean that is at least the true one, and V
    the sum of their squared distances to guesses made before each.

    >>> bernstein_evidence(np.array([0.0, 10.0]), np.array([4.0, 4.0]), 2.0).round(3)
    array([-0.646,  4.058])
    """
    shape, rate = variance + rho, excess + variance + rho
    start = rho * math.log(rho) - gammaln(rho) - math.log(gammainc(rho, rho))
    bets = gammaln(shape) + np.log(gammainc(shape, rate)) - shape * np.log(rate)
    evidence: Floats = start + bets + excess + variance
    return evidence


def _log_rising(base: npt.ArrayLike, factors: npt.ArrayLike) -> Floats:
    """Return log(b·(b + 1)·…) with so many factors."""
    start = np.asarray(base, dtype=float)
    rising: Floats = gammaln(start + factors) - gammaln(start)
    return rising


def _least_evident(arms: Sequence[tuple[Integers, Floats]], rho: float) -> Floats:
    """Return the rate against which arms, of counts and ones, have the least evidence: where its slope changes sign."""
    low, high = np.zeros_like(arms[0][1]), np.ones_like(arms[0][1])
    for _ in range(_HALVINGS):
        p = (low + high) / 2.0
        rises = sum((_slope(p, n, ones, rho) for n, ones in arms), np.zeros_like(p)) > 0.0
        low, high = np.where(rises, low, p), np.where(rises, p, high)
    return low


def _slope(p: Floats, counts: Integers, ones: Floats, rho: float) -> Floats:
    """Return the derivative of the evidence of 0/1 rewards with respect to the rate, which rises."""
    q, noughts = 1.0 - p, counts - ones
    up = rho * (digamma(rho * p + ones) - digamma(rho * p)) - ones / p
    down = rho * (digamma(rho * q + noughts) - digamma(rho * q)) - noughts / q
    slope: Floats = up - down
    return slope


def _least(function: Callable[[Floats], Floats], begin: Floats, end: Floats) -> Floats:
    """Return the least value of a convex function between two places, by golden section."""
    golden = (math.sqrt(5.0) - 1.0) / 2.0
    left, right = end - golden * (end - begin), begin + golden * (end - begin)
    at_left, at_right = function(left), function(right)
    for _ in range(_SECTIONS):
        lower = at_left < at_right
        begin, end = np.where(lower, begin, left), np.where(lower, right, end)
        fresh = np.where(lower, end - golden * (end - begin), begin + golden * (end - begin))
        value = function(fresh)
        left, right = np.where(lower, fresh, right), np.where(lower, left, fresh)
        at_left, at_right = np.where(lower, value, at_right), np.where(lower, at_left, value)
    return np.minimum(at_left, at_right)


def _farthest(against: Callable[[Floats], npt.NDArray[np.bool_]], inside: Floats, edge: Floats) -> Floats:
    """Return the end of the interval between a mean that is inside and the edge, rounded outwards."""
    for _ in range(_HALVINGS):
        middle = (inside + edge) / 2.0
        outside = against(middle)
        inside, edge = np.where(outside, inside, middle), np.where(outside, middle, edge)
    return edge
