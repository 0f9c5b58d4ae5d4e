"""Gamma and Beta numbers; like all randomness of a policy, pure functions of (seed, run, round, place)."""

import math

from steadyarm.model.table import uniform
from steadyarm.numerics.arithmetic import gaussian_pair, log, product
from steadyarm.numerics.compiled import inlined
from steadyarm.numerics.operations import fma
from steadyarm.policies.rules.noise import Noise, words_of

_SQUEEZE = 0.0331  # theirs: it spares most attempts both logarithms
_ATTEMPTS = 250  # an attempt fails with probability below 0.05, so all of them never do


@inlined
def gamma_at(noise: Noise, place: int, shape: float) -> float:
    """Return a Gamma(shape, 1) number for shape ≥ 1, by Marsaglia & Tsang's method."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    for attempt in range(_ATTEMPTS):
        words = words_of(noise, place, attempt)
        x = gaussian_pair(words[0], words[1])[0]
        root = fma(c, x, 1.0)
        if root <= 0.0:
            continue
        v = product(root * root, root)
        square = x * x
        inside = uniform(words[2]) < fma(-_SQUEEZE * square, square, 1.0)  # then the test below is passed too
        if inside or log(uniform(words[2])) < fma(0.5 * x, x, d * (1.0 - v + log(v))):
            return product(d, v)
    return d


@inlined
def beta_at(noise: Noise, place: int, a: float, b: float) -> float:
    """Return a Beta(a, b) number for a, b ≥ 1; it uses up places 2·place and 2·place + 1."""
    x = gamma_at(noise, 2 * place, a)
    return x / (x + gamma_at(noise, 2 * place + 1, b))
