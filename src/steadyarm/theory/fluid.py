"""The fluid prediction: mean counts and their standard deviations in closed form, without playing.

With b = width + tilt, the counts solve μ_i + b(n_i) = c and Σ n_i = T for a common level c. Errors of
variance σ_i²/n_i in the means move the level and the counts; to first order, with w_i = 1/|b'(n_i)| and
W = Σ w_j,

    Var N_i ≈ w_i² [ (1 − w_i/W)² σ_i²/n_i + Σ_{j≠i} (w_j/W)² σ_j²/n_j ].
"""

import math

import numpy as np

from steadyarm.numerics.arrays import Floats
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.curves import Curves, level, tilt, tilt_slope, width

_MOST_STEPS = 200
_CLOSE = 1e-12


@compiled
def bonus(curves: Curves, n: float) -> float:
    """Return b(n) = width(n) + tilt(n)."""
    return width(curves, n) + tilt(curves, n)


@compiled
def slope(curves: Curves, n: float) -> float:
    """Return −b′(n), never negative."""
    falling = curves.root / (2.0 * n * math.sqrt(n)) + curves.inverse / (n * n) + tilt_slope(curves, n)
    height = level(curves, n)
    if curves.log_scale > 0.0 and height > 0.0:
        steepness = 1.0  # of the level, in log y
        if curves.long_log:
            log_y = math.log(curves.log_reach / n)
            steepness = 1.0 + 2.0 * log_y / (1.0 + log_y * log_y)
        root = math.sqrt(curves.log_scale * height / n)
        falling += curves.log_scale * (height + steepness) / (2.0 * root * n * n)
    return falling


@compiled
def pulls_down_to(curves: Curves, value: float, most: float) -> float:
    """Return the n in [1, most] with b(n) = value, or the nearer end; b falls in n."""
    if bonus(curves, 1.0) <= value:
        return 1.0
    if bonus(curves, most) >= value:
        return most
    low, high = 0.0, math.log(most)  # a bracket for log n
    x = low
    for _ in range(_MOST_STEPS):
        n = math.exp(x)
        excess = bonus(curves, n) - value
        if excess > 0.0:
            low = x
        else:
            high = x
        steep = slope(curves, n) * n
        newton = x + excess / steep if steep > 0.0 else high
        following = newton if low < newton < high else 0.5 * (low + high)
        if abs(following - x) < _CLOSE or high - low < _CLOSE:
            break
        x = following
    return math.exp(x)


@compiled
def fluid_counts(curves: Curves, means: Floats, copies: Floats, rounds: float, counts: Floats) -> float:
    """Write the fluid counts of all arms after so many rounds and return their level; there are `copies` of each arm.

    Where the pulls of an arm jump at the level (a width that has become flat) it takes what is left.
    """
    top = means.max()
    low = means.min() + min(0.0, bonus(curves, rounds)) - 1.0
    high = top + bonus(curves, 1.0)
    c: float = top + bonus(curves, rounds / copies.sum())
    for _ in range(_MOST_STEPS):
        total, falling = 0.0, 0.0
        for arm in range(means.size):
            n = pulls_down_to(curves, c - means[arm], rounds)
            counts[arm] = n
            total += copies[arm] * n
            if 1.0 < n < rounds:
                steep = slope(curves, n)
                falling += copies[arm] / steep if steep > 0.0 else 0.0
        if abs(total - rounds) <= _CLOSE * rounds:
            break
        if total > rounds:
            low = c
        else:
            high = c
        newton = c + (total - rounds) / falling if falling > 0.0 else high
        following = newton if low < newton < high else 0.5 * (low + high)
        if high - low <= _CLOSE * (abs(c) + 1e-300):
            break
        c = following
    _share_out(curves, means, copies, rounds, counts, high)
    return c


@compiled
def _share_out(
    curves: Curves, means: Floats, copies: Floats, rounds: float, counts: Floats, high: float
) -> None:
    """Make the counts add up: the arms whose pulls jump at the level share what the others leave."""
    total = (copies * counts).sum()
    if abs(total - rounds) <= 1e-6 * rounds:
        return
    surely = 0.0
    jumping = 0.0
    for arm in range(means.size):
        n = pulls_down_to(curves, high - means[arm], rounds)
        surely += copies[arm] * n
        jumping += copies[arm] * max(0.0, counts[arm] - n)
    for arm in range(means.size):
        n = pulls_down_to(curves, high - means[arm], rounds)
        share = max(0.0, counts[arm] - n) / jumping if jumping > 0.0 else 1.0 / copies.sum()
        counts[arm] = n + share * (rounds - surely)


@compiled
def fluid_spread(curves: Curves, variances: Floats, copies: Floats, counts: Floats, spread: Floats) -> float:
    """Write the standard deviations of the counts and return that of the level."""
    weight = 0.0
    noise = 0.0  # Σ w_j² σ_j² / n_j
    for arm in range(counts.size):
        w = 1.0 / max(slope(curves, counts[arm]), 1e-300)
        weight += copies[arm] * w
        noise += copies[arm] * w * w * variances[arm] / counts[arm]
    for arm in range(counts.size):
        w = 1.0 / max(slope(curves, counts[arm]), 1e-300)
        own = variances[arm] / counts[arm]
        share = w / weight
        others = max(0.0, noise - w * w * own) / (weight * weight)
        spread[arm] = w * math.sqrt((1.0 - share) ** 2 * own + others)
    return math.sqrt(noise) / weight


@compiled
def lag(curves: Curves, variance: float, n: float) -> float:
    """Return about how far the running minimum of an arm's index lies below its index.

    Near n the index is a random walk of variance σ²/n² a pull that drifts downwards; such a walk lies
    variance/(2·drift) above its minimum. Under an envelope the minimum is taken before the tilt is added.
    """
    drift = slope(curves, n) - (tilt_slope(curves, n) if curves.envelope else 0.0)
    return variance / (2.0 * n * n * drift) if drift > 0.0 else np.inf
