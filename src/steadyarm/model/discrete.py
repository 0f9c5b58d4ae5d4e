"""Binomial and hypergeometric draws of any size as pure functions of random words.

Both laws are log-concave, so Devroye's universal rejection sampler serves them; the probabilities come from
Loader's saddle-point form, which keeps its accuracy for sizes up to 2⁵³ where log-factorials cancel.

L. Devroye, "A simple generator for discrete log-concave distributions", Computing 39 (1987) 87–91.
C. Loader, "Fast and accurate computation of binomial probabilities" (2000).
"""

import math
from typing import NamedTuple

import numpy as np

from steadyarm.model.table import uniform
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.philox import words_at

_LOG_TWO_PI = math.log(2.0 * math.pi)
_MOST_ATTEMPTS = 200
_SMALL = np.array(
    [math.lgamma(n + 1.0) - (n + 0.5) * math.log(n) + n - 0.5 * _LOG_TWO_PI for n in range(1, 16)]
)


class Cell(NamedTuple):
    """Which random words a draw reads: those of this block, in its stream and the ones after it."""

    seed: np.uint64
    run: int
    arm: int
    stream: int
    block: int


class Law(NamedTuple):
    """A binomial law of n and p, or how many of some successes are in the first half of `size` items; and its top."""

    is_binomial: bool
    first: float  # n, or the size
    second: float  # p, or the successes
    mode: float


@compiled
def _stirling_error(n: float) -> float:
    """Return log n! − log(√(2πn)·(n/e)ⁿ), for n ≥ 1."""
    if n < 16.0:
        return _SMALL[int(n) - 1]  # type: ignore[no-any-return]
    square = 1.0 / (n * n)
    return (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - square / 1680.0) * square) * square) / n


@compiled
def _deviance(x: float, mean: float) -> float:
    """Return x·log(x/mean) + mean − x, accurate where x is near the mean."""
    difference = x - mean
    if abs(difference) < 0.1 * (x + mean):
        v = difference / (x + mean)
        total = difference * v
        term = 2.0 * x * v
        for k in range(1, 60):
            term *= v * v
            following = total + term / (2 * k + 1)
            if following == total:
                break
            total = following
        return total
    return x * math.log(x / mean) + mean - x


@compiled
def log_binomial_probability(k: float, n: float, p: float) -> float:
    """Return log P(k successes in n trials), for 0 < p < 1."""
    if k < 0.0 or k > n:
        return -np.inf
    if k == 0.0:
        return n * math.log1p(-p)
    if k == n:
        return n * math.log(p)
    rest = n - k
    fit = _stirling_error(n) - _stirling_error(k) - _stirling_error(rest)
    fit -= _deviance(k, n * p) + _deviance(rest, n * (1.0 - p))
    return fit + 0.5 * (math.log(n / (k * rest)) - _LOG_TWO_PI)


@compiled
def log_half_probability(k: float, size: float, successes: float) -> float:
    """Return log P(k of `successes` fall into the first half), for a random order of `size` items."""
    half = 0.5 * size
    if k < 0.0 or k > successes or half - k < 0.0 or half - k > size - successes:
        return -np.inf
    one = log_binomial_probability(k, successes, 0.5)
    other = log_binomial_probability(half - k, size - successes, 0.5)
    return one + other - log_binomial_probability(half, size, 0.5)


@compiled
def binomial(n: float, p: float, cell: Cell) -> float:
    """Draw a number of successes in n trials."""
    if p <= 0.0:
        return 0.0
    if p >= 1.0:
        return n
    return _draw(Law(True, n, p, np.floor((n + 1.0) * p)), cell)


@compiled
def half_of(size: float, successes: float, cell: Cell) -> float:
    """Draw how many of the successes among `size` items in random order fall into the first half."""
    if successes <= 0.0:
        return 0.0
    if successes >= size:
        return 0.5 * size
    mode = np.floor((0.5 * size + 1.0) * (successes + 1.0) / (size + 2.0))
    return _draw(Law(False, size, successes, mode), cell)


@compiled
def _log_probability(law: Law, k: float) -> float:
    if law.is_binomial:
        return log_binomial_probability(k, law.first, law.second)
    return log_half_probability(k, law.first, law.second)


@compiled
def _draw(law: Law, cell: Cell) -> float:
    """Devroye's sampler for a log-concave law with a known mode."""
    mode = law.mode
    peak = _log_probability(law, mode)
    height = math.exp(peak)
    w = 1.0 + 0.5 * height
    for attempt in range(_MOST_ATTEMPTS):
        stream = np.uint64(cell.stream + attempt)
        words = words_at(cell.seed, np.uint64(cell.run), np.uint64(cell.arm), stream, np.uint64(cell.block))
        if uniform(words[0]) <= w / (1.0 + w):
            reach = uniform(words[1]) * w / height
            hat = 0.0
        else:
            extra = -math.log(uniform(words[1]))
            reach = (w + extra) / height
            hat = -extra
        step = np.floor(reach + 0.5)
        k: float = mode - step if words[3] & np.uint64(1) else mode + step
        log_k = _log_probability(law, k)
        if math.log(uniform(words[2])) + hat <= log_k - peak:
            return k
    return mode
