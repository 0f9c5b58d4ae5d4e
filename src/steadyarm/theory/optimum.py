"""Theorem 1′: the least regret that any policy of an instability can have, and the least instability of a regret.

Tilt one arm up and the others down, from equal arms on. The share of pulls that the raised arm does not get is y. The
score of the tilt is a martingale, so Cauchy and Schwarz limit how fast y can fall: in the angle φ, y = sin²φ,

    dφ/dt = −½·min{S/T, sin φ cos φ},   φ = arcsin √(1 − 1/K) at t = 0,

where t is the gap in units of σ/√T (for 0/1 rewards 2√T times the difference of the angles arcsin √rate), S the
instability, and sin φ cos φ the largest standard deviation that a share of mean y can have. At every gap Δ of the
class the regret is at least ΔT·y: a theorem for every policy, every horizon and every number of arms. Each gap gives a
valid bound, and the best one is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from steadyarm.errors import InvalidInput
from steadyarm.model import checks

Floats = npt.NDArray[np.float64]

_SAFE = 1.0 - 1e-12  # a bound is rounded the safe way
_GRID = 400
_LARGEST = 1e100  # of a scale
_STEPS = 200  # of the bisection for an instability


def least_regret(
    instability: float,
    *,
    n_arms: int,
    horizon: float,
    mean_bound: float = 1.0,
    noise_scale: float = 1.0,
    rates: tuple[float, float] | None = None,
) -> float:
    """Return what every policy loses on some instance, if none of its counts ever spreads by more (Theorem 1′).

    The class is σ-sub-Gaussian rewards with means in [−M, M]; with `rates`, 0/1 rewards with rates between the two.

    >>> round(least_regret(1000.0, n_arms=10, horizon=100_000))
    14683
    >>> least_regret(0.0, n_arms=2, horizon=1000)                     # equal shares: half the widest gap in each round
    999.99...
    """
    spread = checks.real(instability, "instability", at_least=0.0)
    return _least_regret(spread, *_setting(n_arms, horizon, mean_bound, noise_scale, rates))


def least_instability(
    regret: float,
    *,
    n_arms: int,
    horizon: float,
    mean_bound: float = 1.0,
    noise_scale: float = 1.0,
    rates: tuple[float, float] | None = None,
) -> float:
    """Return how far some count spreads on some instance under every policy that never loses more (Theorem 1′).

    It is infinite for a regret that no policy has, and 0 from that of equal shares on.

    >>> round(least_instability(3000.0, n_arms=10, horizon=100_000))
    4894
    >>> least_instability(1.0, n_arms=10, horizon=100_000)
    inf
    """
    lost = checks.real(regret, "regret", at_least=0.0)
    setting = _setting(n_arms, horizon, mean_bound, noise_scale, rates)
    low, high = 0.0, float(horizon) / 2.0  # no count spreads by more
    if _least_regret(high, *setting) > lost:
        return math.inf
    if _least_regret(low, *setting) <= lost:
        return 0.0
    for _ in range(_STEPS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _least_regret(middle, *setting) > lost else (low, middle)
        if high - low <= 1e-12 * high:
            break
    return low


def sharp_minimax_regret(
    n_arms: int,
    horizon: float,
    mean_bound: float = 1.0,
    noise_scale: float = 1.0,
    rates: tuple[float, float] | None = None,
) -> float:
    """Return what every policy loses on some instance, however it spreads: W((K − 1)/e)·σ√T in a class wide enough.

    W is Lambert's function.

    >>> round(sharp_minimax_regret(10, 10_000) / 100.0, 3)
    1.101
    """
    setting = _setting(n_arms, horizon, mean_bound, noise_scale, rates)
    return _least_regret(float(horizon) / 2.0, *setting)


def product_constant(n_arms: int) -> float:
    """Return c_K: regret times instability of every policy is at least c_K·σT^1.5 (where R ≤ 2·v_K·MT).

    >>> [round(product_constant(arms), 4) for arms in (2, 10, 100)]
    [0.1313, 0.4643, 0.7018]
    """
    return _product_constant(checks.n_arms(n_arms))


@lru_cache(maxsize=256)
def _product_constant(arms: int) -> float:
    from scipy.optimize import minimize_scalar

    angle = _fair_angle(arms)
    found = minimize_scalar(
        lambda v: -_product_at(v, angle),
        bounds=(0.0, 1.0 - 1.0 / arms),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return _SAFE * _product_at(float(found.x), angle)  # every v gives a valid constant


def _product_at(v: float, angle: float) -> float:
    return 2.0 * v * (angle - math.asin(math.sqrt(v)))


def _fair_angle(n_arms: int) -> float:
    return math.asin(math.sqrt(1.0 - 1.0 / n_arms))


def _setting(
    n_arms: int, horizon: float, mean_bound: float, noise_scale: float, rates: tuple[float, float] | None
) -> tuple[int, float, float, Callable[[Floats], Floats]]:
    """Return the arms, the rounds, the widest gap, and the time t that a path to a gap takes."""
    arms = checks.n_arms(n_arms)
    rounds = checks.real(
        horizon, "horizon", above=float(arms), remedy=f"{arms} arms need more rounds than arms."
    )
    if rates is None:
        widest = 2.0 * checks.real(mean_bound, "mean_bound", at_least=1.0 / _LARGEST, at_most=_LARGEST)
        noise = checks.real(noise_scale, "noise_scale", at_least=1.0 / _LARGEST, at_most=_LARGEST)
        speed = math.sqrt(rounds) / noise
        return arms, rounds, widest, lambda gaps: speed * gaps
    if not isinstance(rates, tuple | list) or len(rates) != 2:
        raise InvalidInput(f"rates must be two numbers, the lowest and the highest rate; got {rates!r}.")
    low = checks.real(rates[0], "the lower rate", at_least=0.0)
    high = checks.real(rates[1], "the upper rate", above=low, at_most=1.0)

    def between_rates(gaps: Floats) -> Floats:
        centre = np.clip(0.5, low + gaps / 2.0, high - gaps / 2.0)  # where coins are noisiest
        upper, lower = np.minimum(centre + gaps / 2.0, 1.0), np.maximum(centre - gaps / 2.0, 0.0)
        angles: Floats = np.arcsin(np.sqrt(upper)) - np.arcsin(np.sqrt(lower))
        return 2.0 * math.sqrt(rounds) * angles

    return arms, rounds, high - low, between_rates


def _least_regret(
    spread: float, n_arms: int, horizon: float, widest: float, time_to: Callable[[Floats], Floats]
) -> float:
    from scipy.optimize import minimize_scalar  # here: servers start without it

    limit = min(0.5, spread / horizon)

    def lost(gaps: Floats) -> Floats:
        return gaps * horizon * _share_lost(time_to(gaps), n_arms, limit)

    # From far below the gap that noise hides, to the widest of the class.
    hidden = widest / max(1.0, float(time_to(np.array([widest]))[0]))
    gaps = np.append(np.geomspace(1e-6 * hidden, widest, _GRID)[:-1], widest)
    values = lost(gaps)
    best = int(values.argmax())
    around = gaps[max(0, best - 1)], gaps[min(len(gaps) - 1, best + 1)]
    refined = minimize_scalar(
        lambda gap: -float(lost(np.array([gap]))[0]),
        bounds=around,
        method="bounded",
        options={"xatol": 1e-12 * around[1]},
    )
    return _SAFE * max(float(values[best]), -float(refined.fun))


def _share_lost(times: Floats, n_arms: int, limit: float) -> Floats:
    """Return y at each time: what the raised arm does not get, at the least, while no share spreads beyond a limit.

    While the limit is above sin φ cos φ the tangent of φ falls like e^(−t/2); in between φ falls in a straight line.
    """
    start = _fair_angle(n_arms)
    # sin φ cos φ = limit at this angle and at π/2 minus it.
    lower = 0.5 * math.asin(min(1.0, 2.0 * limit))
    upper = min(start, math.pi / 2.0 - lower)
    until_upper = 2.0 * (math.log(math.tan(start)) - math.log(math.tan(upper)))
    until_lower = until_upper + (2.0 * (upper - lower) / limit if limit > 0.0 else math.inf)
    if upper <= lower:  # nowhere is the limit the smaller one
        until_upper = until_lower = math.inf
    tangent = np.where(
        times <= until_upper,
        math.tan(start) * np.exp(-0.5 * times),
        math.tan(lower) * np.exp(-0.5 * np.clip(times - until_lower, 0.0, None)),
    )
    straight = upper - 0.5 * limit * (np.minimum(times, until_lower) - min(until_upper, until_lower))
    angle = np.where((times > until_upper) & (times <= until_lower), straight, np.arctan(tangent))
    return np.sin(angle) ** 2
