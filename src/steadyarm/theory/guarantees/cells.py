"""Theorem E2: in most plans the tightest bound on the worst-case instability of SLE-UCB, computed cell by cell.

Given all other arms, the count of arm a strays around a point n₀ that depends on them only; F(n₀) bounds the second
moment, and a concave majorant of F at the average of the n₀ bounds the variance of every count. Nothing is sampled on a
grid: each cell of n₀ is evaluated at its worse end in every term, and concave maxima and convex minima are cut off by
tangents. So what comes out is proved, up to rounding, for which there is a margin. docs/guarantees.md has the proof.

Everything is in units of σ; b = n₀ − 1, T′ = T − K + 1.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from steadyarm.theory.guarantees.parameters import Parameters

Floats = npt.NDArray[np.float64]

_UP = 1.0 + 1e-9  # a bound is rounded the safe way
_ROOT_SHARE, _RARENESS = (
    grid.ravel()
    for grid in np.meshgrid([0.0, 0.1, 0.2, 0.3, 0.45, 0.6], [4.0, 7.0, 10.0, 13.0, 16.0, 20.0, 25.0])
)  # φ, and how rare the failures that θ allows are, on a scale of logarithms
_RATIOS = (1.15, 1.25, 1.4, 1.7, 2.2)  # t of the chords
_MOMENTS = np.array([1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0])[:, None]  # p
_MOMENT_NORMS = (
    math.sqrt(2.0) * np.array([(2.0 * math.factorial(int(p))) ** (0.5 / p) for p in _MOMENTS[:, 0]])[:, None]
)
_SAMPLE = np.linspace(0.0, 1.0, 7)  # x, where the best φ and θ are looked for
FINE, COARSE = 0.004, 0.03  # relative width of a cell


@lru_cache(maxsize=1024)
def theorem_e(parameters: Parameters, width: float = FINE) -> float:
    """Return the bound; wider cells are quicker, and the bound is then a little larger.

    >>> round(theorem_e(Parameters(n_arms=2, horizon=1e5, beta=27.95, lam=0.125, noise=1.0, bias=0.0)))
    1434
    """
    low, high = _cells(parameters, width)
    moments = _second_moments(parameters, low, high)
    variance = _largest_variance(parameters, low, high, moments)
    return min(_UP * math.sqrt(0.25 + variance), parameters.most_instability)


def _cells(parameters: Parameters, width: float) -> tuple[Floats, Floats]:
    """Return the first and the last n₀ of each cell: narrow around the fair share, wider far from it."""
    most, fair = parameters.most_pulls, parameters.horizon / parameters.n_arms
    steps = np.concatenate([np.full(round(1.0 / width), width), width * 1.04 ** np.arange(400.0)])
    distance = np.cumsum(steps)
    distance = distance[distance < 40.0]
    near_end = most - np.geomspace(1.0, max(1.0, most - fair), 60)
    ends = np.floor(np.concatenate([[fair], fair * np.exp(-distance), fair * np.exp(distance), near_end]))
    ends = np.unique(np.concatenate([[1.0], ends[(ends > 1.0) & (ends < most)], [most]]))
    return np.concatenate([[1.0], ends[:-1] + 1.0]), ends


def _second_moments(parameters: Parameters, low: Floats, high: Floats) -> Floats:
    """Return F on each cell."""
    arms, most = parameters.n_arms, parameters.most_pulls
    beta, lam = parameters.in_noise
    c1, a1, e1 = _above(beta, lam, arms - 2.0, most, low, high)
    c2, a2 = _below(beta, lam, arms - 2.0, most, low, high)
    # The best φ and θ of each cell, looked for at a few x; then the maximum over all x.
    found = np.max(
        [(c1 + np.sqrt(a1 * x + e1)) ** 2 + (c2 + np.sqrt(a2 * (1.0 - x))) ** 2 for x in _SAMPLE], axis=0
    )
    best = found.argmin(axis=0), np.arange(len(low))
    moments = _largest(c1, a1, e1, c2[best], a2[best])
    return np.asarray(np.minimum(moments, np.maximum(most - low, high - 1.0) ** 2))


def _above(
    beta: float, lam: float, k: float, most: float, low: Floats, high: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return c, a and e: (N − n₀)⁺ is at most c + √(ax + e) in the mean square."""
    root = np.sqrt(high)
    alone = lam + beta / (2.0 * root)
    slope = alone + lam * low / np.maximum(most - low, 0.5)
    lost = np.minimum(k, k * lam * high / (np.maximum(most - high, 1e-9) * slope))  # to the response's delay
    unanswered = 0.7 * root / alone < lost + 0.7 * root / slope
    slope, lost = np.where(unanswered, alone, slope), np.where(unanswered, 0.0, lost)
    time = most - low + 1.0  # at most, until the walk fails; each turn bounds it better
    for _ in range(6):
        overshoot = 1.0 + (_MOMENT_NORMS * time ** (0.5 / _MOMENTS)).min(axis=0) / slope
        time = np.minimum(time, lost + 0.5 * root / slope + overshoot)
    return lost + overshoot, high / slope**2, time / slope**2


def _below(
    beta: float, lam: float, k: float, most: float, low: Floats, high: Floats
) -> tuple[Floats, Floats]:
    """Return c and a, a row for each φ and θ: (n₀ − N)⁺ is at most c + √(a(1−x)) in the mean square."""
    first, last = low - 1.0, np.maximum(high - 1.0, 1.0)  # b
    split = _split(beta, lam, last[-1] / (k + 2.0))
    phi, theta = _ROOT_SHARE[:, None], split[:, None]
    pull, lost = _response(lam, k, most, first, last)
    slope = pull + phi * beta / (2.0 * np.sqrt(last))
    walk = math.sqrt(2.0) * np.sqrt(last) / ((1.0 - theta) * (1.0 - phi) * beta)
    failed = last * np.sqrt(_rare(beta * split * (1.0 - _ROOT_SHARE), last))
    return 1.0 + lost + walk / slope + failed, high / slope**2


def _response(lam: float, k: float, most: float, first: Floats, last: Floats) -> tuple[Floats, Floats]:
    """Return the pull towards n₀ and the pulls lost before the other arms respond, at the best share of the response.

    None of it; all of it, with a delay; or a share s of it, from (K−2)/(1−s) pulls on.
    """
    typical = 0.7 * np.sqrt(last)
    full = lam * _least_pull(first / most, np.ones_like(first))
    if not k:
        return full, np.zeros_like(full)
    missing = np.clip(np.sqrt(k * lam / typical), 1e-3, 1.0)
    pulls = np.stack([np.full_like(full, lam), full, lam * _least_pull(first / most, 1.0 - missing)])
    lost = np.stack([np.zeros_like(full), k * lam * last / ((most - last) * full), k / missing])
    best = (lost + typical / pulls).argmin(axis=0), np.arange(len(full))
    return pulls[best], lost[best]


def _least_pull(share: Floats, response: Floats) -> Floats:
    """Return inf over 0 < t < 1 of −log(1−t)/t + s·y/(1−y+yt), rounded down, at shares y of T′ and s of the response.

    It is convex in t: a tangent near its minimum lies below it everywhere.
    """
    low, high = np.zeros_like(share), np.ones_like(share)
    for _ in range(30):
        t = 0.5 * (low + high)
        rising = _pull_slope(t, share, response) > 0.0
        low, high = np.where(rising, low, t), np.where(rising, t, high)
    t = np.clip(0.5 * (low + high), 1e-6, 1.0 - 1e-12)
    pull = -np.log1p(-t) / t + response * share / (1.0 - share + share * t)
    steep = _pull_slope(t, share, response)
    tangent = pull - np.where(steep > 0.0, steep * t, -steep * (1.0 - t))
    return np.asarray(tangent * (1.0 - 1e-9))


def _pull_slope(t: Floats, share: Floats, response: Floats) -> Floats:
    small = t < 1e-3
    safe = np.where(small, 0.5, t)
    grows = np.where(
        small, 0.5 + t * (2.0 / 3.0 + 0.75 * t), (safe / (1.0 - safe) + np.log1p(-safe)) / safe**2
    )
    return np.asarray(grows - response * (share / (1.0 - share + share * t)) ** 2)


def _split(beta: float, lam: float, fair: float) -> Floats:
    """Return a θ for each φ: any will do, and good ones make failures just rare enough at the fair share."""
    level = np.sqrt(8.0 * (math.log1p(lam * math.sqrt(fair)) * 2.0 + _RARENESS)) / beta
    return np.clip(level / (1.0 - _ROOT_SHARE), 1e-3, 0.95)


def _rare(level: Floats, last: Floats) -> Floats:
    """Return P_b for every φ and θ: a prefix of the walk lies below the chords of the square root."""
    level = np.minimum(level, 1e6)
    best = np.ones((len(level), len(last)))
    for ratio in _RATIOS:
        peels = np.maximum(1.0, np.ceil(np.log(last) / (2.0 * math.log(ratio)) + 1e-9)).astype(int)
        terms = np.arange(peels.max())
        each = level[:, None] / (1.0 + ratio ** -terms.astype(float))
        sums = np.cumsum(np.exp(-2.0 * each**2 * ratio / (1.0 + ratio) ** 2), axis=1)
        np.minimum(best, sums[:, peels - 1], out=best)
    return best


def _largest(c1: Floats, a1: Floats, e1: Floats, c2: Floats, a2: Floats) -> Floats:
    """Return max over 0 ≤ x ≤ 1 of (c₁ + √(a₁x + e₁))² + (c₂ + √(a₂(1−x)))², rounded up; it is concave in x."""

    def value(x: Floats) -> Floats:
        return (c1 + np.sqrt(a1 * x + e1)) ** 2 + (c2 + np.sqrt(a2 * (1.0 - x))) ** 2

    def slope(x: Floats) -> Floats:
        return a1 * (1.0 + c1 / np.sqrt(a1 * x + e1)) - a2 - c2 * np.sqrt(a2 / (1.0 - x))

    low, high = np.zeros_like(c1), np.full_like(c1, 1.0 - 1e-12)
    for _ in range(30):
        x = 0.5 * (low + high)
        rising = slope(x) > 0.0
        low, high = np.where(rising, x, low), np.where(rising, high, x)
    return np.asarray(value(low) + np.maximum(slope(low), 0.0) * (1.0 - low))


def _largest_variance(parameters: Parameters, low: Floats, high: Floats, moments: Floats) -> float:
    """Return the largest V with V ≤ K·max of F̂ within √(V/K) of the fair share T/K, F̂ the concave majorant of F."""
    arms, fair = parameters.n_arms, parameters.horizon / parameters.n_arms
    x, y = _majorant(np.stack([low, high], axis=1).ravel(), np.repeat(moments, 2))
    summit = x[y.argmax()]
    variance = arms * y.max()
    for _ in range(100):
        reach = math.sqrt(variance / arms)
        at = min(max(summit, fair - reach), fair + reach)
        smaller = arms * float(np.interp(at, x, y))
        if smaller >= variance * (1.0 - 1e-9):
            break
        variance = smaller
    return float(variance)


def _majorant(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the corners of the least concave function above the points, which come from left to right."""
    corners: list[tuple[float, float]] = []
    for point in zip(x.tolist(), y.tolist(), strict=True):
        while len(corners) > 1 and _is_below(corners[-2], corners[-1], point):
            corners.pop()
        if corners and corners[-1][0] == point[0]:
            corners[-1] = max(corners[-1], point)
        else:
            corners.append(point)
    return np.array([corner[0] for corner in corners]), np.array([corner[1] for corner in corners])


def _is_below(left: tuple[float, float], middle: tuple[float, float], right: tuple[float, float]) -> bool:
    return (middle[1] - left[1]) * (right[0] - left[0]) <= (right[1] - left[1]) * (middle[0] - left[0])
