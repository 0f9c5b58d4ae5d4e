"""What no policy can beat over a class of rewards: Theorem 1′ of `theory.optimum`, with the class filled in."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from steadyarm.theory.estimates import Estimate
from steadyarm.theory.optimum import least_instability, least_regret
from steadyarm.theory.reward_class import RewardClass
from steadyarm.theory.trimmed_noise import RATIOS, trimmed_noise


class Limit(NamedTuple):
    """The arms, the rounds and the class; `rates` are those of 0/1 rewards, whose ones are worth `unit`.

    `others` are limits of other laws that the class has: each one holds, and so does the largest.

    >>> round(Limit(n_arms=10, horizon=100_000).least_regret(1000.0))
    14683
    """

    n_arms: int
    horizon: int
    mean_bound: float = 1.0
    noise_scale: float = 1.0
    rates: tuple[float, float] | None = None
    unit: float = 1.0
    others: tuple[Limit, ...] = ()

    @property
    def equal_shares(self) -> float:
        """The regret that every policy has whose counts never vary: that of equal shares."""
        return self.least_regret(0.0)

    @property
    def minimax(self) -> float:
        """The regret that every policy has somewhere, however unsteady."""
        return self.least_regret(self.horizon / 2.0)

    def least_regret(self, instability: float) -> float:
        """Return what every policy loses somewhere, if none of its counts ever spreads by more."""
        return max(_least_regret(each, min(instability, self.horizon / 2.0)) for each in (self, *self.others))

    def least_instability(self, regret: float) -> float:
        """Return how far some count of every policy spreads somewhere, if it never loses more; maybe infinite."""
        return max(least_instability(regret / each.unit, **each._class()) for each in (self, *self.others))

    def times_least_regret(self, regret: Estimate, instability: Estimate) -> Estimate:
        """Return a worst-case regret over the least at a worst-case instability.

        The two come from different instances, so their relative errors add in squares.

        >>> limit = Limit(n_arms=2, horizon=10_000)
        >>> print(limit.times_least_regret(Estimate(200.0, 190.0, 210.0, 100), Estimate(900.0, 800.0, 1e3, 100)))
        1.371 [1.206, 1.540]
        """
        least = self.least_regret(instability.value)

        def end(sign: float, regret_end: float, instability_end: float) -> float:
            lost = regret_end / regret.value
            spread = least / self.least_regret(instability_end)
            return (
                value * math.exp(sign * math.hypot(math.log(lost), math.log(spread))) if lost > 0.0 else 0.0
            )

        value = regret.value / least
        if value <= 0.0:
            return Estimate(0.0, 0.0, 0.0, instability.runs, instability.level)
        low, high = end(-1.0, regret.low, instability.low), end(1.0, regret.high, instability.high)
        return Estimate(value, low, high, instability.runs, instability.level)

    def _class(self) -> dict[str, Any]:
        return {
            "n_arms": self.n_arms,
            "horizon": self.horizon,
            "mean_bound": self.mean_bound,
            "noise_scale": self.noise_scale,
            "rates": self.rates,
        }


@lru_cache(maxsize=4096)
def _least_regret(limit: Limit, instability: float) -> float:
    return limit.unit * least_regret(instability, **limit._class())


def limit_of(n_arms: int, horizon: int, reward_class: RewardClass) -> Limit:
    """Return the limit of a class; between two ends, that of coins and of nearly Gaussian rewards that its σ allows.

    >>> from steadyarm.theory.reward_class import class_of
    >>> coins, payments = class_of("bernoulli"), class_of("bounded", low=0.0, high=4.0)
    >>> limit_of(2, 1000, payments).least_regret(10.0) / limit_of(2, 1000, coins).least_regret(10.0)
    4.0
    """
    low, high, start, end, _ = reward_class.mean_range
    if reward_class.rewards == "gaussian":
        return Limit(n_arms, horizon, reward_class.widest_gap / 2.0, reward_class.noise_scale)
    if reward_class.rewards == "bernoulli":
        return Limit(n_arms, horizon, rates=(low, high))
    unit = min(end - start, 2.0 * reward_class.noise_scale)  # rewards 2σ apart are σ-sub-Gaussian
    zero = min(max((low + high - unit) / 2.0, start), end - unit)
    rates = (max(0.0, (low - zero) / unit), min(1.0, (high - zero) / unit))
    return Limit(
        n_arms, horizon, rates=rates, unit=unit, others=tuple(_trimmed(n_arms, horizon, reward_class))
    )


def _trimmed(n_arms: int, horizon: int, reward_class: RewardClass) -> Iterator[Limit]:
    """Yield the limits of rewards with trimmed noise, where the range has room for it."""
    low, high, start, end, _ = reward_class.mean_range
    for reach, hidden in map(trimmed_noise, RATIOS):
        margin = reach * reward_class.noise_scale
        widest = min(high, end - margin) - max(low, start + margin)
        if widest > 0.0:
            yield Limit(n_arms, horizon, widest / 2.0, hidden * reward_class.noise_scale)
