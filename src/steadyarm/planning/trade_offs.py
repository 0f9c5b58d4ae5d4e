"""Predicted worst cases along α, and the region beside them where no policy is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.bounds import instability_lower_bound, largest_regret
from steadyarm.theory.guarantees import guarantee
from steadyarm.theory.reward_class import RewardClass
from steadyarm.theory.worst_cases import worst_cases

_USUAL_ALPHAS = (0.05, 50.0)
_POINTS_PER_DECADE = 8
_EDGE_POINTS = 25


@dataclass(frozen=True)
class TradeOff:
    """The predicted worst cases at one α, and the means of the arms where the first two are."""

    alpha: float
    regret: float
    instability: float
    relative_spread: float
    costliest_means: tuple[float, ...]
    unsteadiest_means: tuple[float, ...]

    def to_dict(self) -> dict[str, float]:
        """Return its numbers."""
        return {"alpha": self.alpha, "regret": self.regret, "instability": self.instability}


@dataclass(frozen=True)
class CurvePoint(TradeOff):
    """The predicted worst cases at one α, and what closed forms guarantee there, capped at what can happen."""

    guaranteed_regret: float
    guaranteed_instability: float

    def to_dict(self) -> dict[str, float]:
        """Return its numbers."""
        guaranteed = {
            "guaranteed_regret": self.guaranteed_regret,
            "guaranteed_instability": self.guaranteed_instability,
        }
        return super().to_dict() | guaranteed


def trade_off(policy: SLEUCB, reward_class: RewardClass, alpha: float) -> TradeOff:
    """Predict the worst cases of SLE-UCB at an α over the class."""
    found = worst_cases(policy.replace(alpha=alpha).curves, policy.n_arms, reward_class)
    return TradeOff(
        alpha,
        found.regret.value,
        found.deviation.value,
        found.relative_deviation.value,
        found.regret.means,
        found.deviation.means,
    )


def curve(policy: SLEUCB, reward_class: RewardClass, alpha: float) -> tuple[CurvePoint, ...]:
    """Return the trade-offs along α, from 0.05 to 50, or so many decades more that they surround this α.

    >>> from steadyarm.theory.reward_class import class_of
    >>> points = curve(SLEUCB(n_arms=2, horizon=1000, constants="sharp"), class_of("gaussian"), alpha=100.0)
    >>> len(points), round(points[0].alpha, 2), round(points[-1].alpha)
    (33, 0.05, 500)
    """
    low, high = _USUAL_ALPHAS
    below = max(0, math.ceil(math.log10(low / alpha)))
    above = max(0, math.ceil(math.log10(alpha / high)))
    # Without the policy's own α, so that a slider finds the curve of its class ready.
    return _curve(policy.replace(alpha=1.0), reward_class, below, above)


@lru_cache(maxsize=64)
def _curve(policy: SLEUCB, reward_class: RewardClass, below: int, above: int) -> tuple[CurvePoint, ...]:
    low, high = _USUAL_ALPHAS
    decades = round(math.log10(high / low)) + below + above
    alphas = np.geomspace(low * 10.0**-below, high * 10.0**above, _POINTS_PER_DECADE * decades + 1)
    return tuple(_curve_point(policy, reward_class, alpha) for alpha in alphas.tolist())


def _curve_point(policy: SLEUCB, reward_class: RewardClass, alpha: float) -> CurvePoint:
    promised = guarantee(policy.replace(alpha=alpha), widest_gap=reward_class.widest_gap, quick=True)
    point = trade_off(policy, reward_class, alpha)
    return CurvePoint(
        **vars(point),
        guaranteed_regret=promised.regret,
        guaranteed_instability=promised.instability,
    )


@dataclass(frozen=True)
class EdgePoint:
    """A regret, and the least instability that a policy of that regret has (Theorem 1)."""

    regret: float
    instability: float


def excluded_edge(policy: SLEUCB, least_regret: float) -> tuple[EdgePoint, ...]:
    """Return the edge of the region where no policy is, up to a regret of MT/8, where Theorem 1 ends.

    It begins well below the least regret that anybody has, since a picture shows some room beside that.
    """
    most = largest_regret(policy.horizon, policy.mean_bound)
    regrets = np.geomspace(min(most / 1e4, least_regret / 4.0), most, _EDGE_POINTS).tolist()
    return tuple(
        EdgePoint(regret, instability_lower_bound(regret, policy.horizon, policy.noise_scale))
        for regret in regrets
    )
