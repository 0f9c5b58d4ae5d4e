"""The Kullback–Leibler divergence between two coins, and its upper confidence bound."""

from steadyarm.numerics.arithmetic import log, product
from steadyarm.numerics.compiled import compiled

_HALVINGS = 52  # bring the bracket below a double's resolution on [0, 1]


@compiled
def bernoulli_divergence(p: float, q: float) -> float:
    """Return d(p, q) = p·log(p/q) + (1 − p)·log((1 − p)/(1 − q)), for 0 < q < 1.

    >>> bernoulli_divergence(0.3, 0.3), bernoulli_divergence(0.0, 0.5) == log(2.0)
    (0.0, True)
    """
    divergence = 0.0
    if p > 0.0:
        divergence += product(p, log(p / q))
    if p < 1.0:
        divergence += product(1.0 - p, log((1.0 - p) / (1.0 - q)))
    return divergence


@compiled
def bernoulli_upper(p: float, level: float) -> float:
    """Return the largest q in [p, 1] with d(p, q) ≤ level, by bisection.

    >>> q = bernoulli_upper(0.3, 0.1)
    >>> abs(bernoulli_divergence(0.3, q) - 0.1) < 1e-9
    True
    """
    if level <= 0.0 or p >= 1.0:
        return p
    low, high = p, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        if bernoulli_divergence(p, middle) > level:
            high = middle
        else:
            low = middle
    return low
