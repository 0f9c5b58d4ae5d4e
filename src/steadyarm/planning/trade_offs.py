"""Predicted worst cases along a family of policies, and the region beside them where no policy is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from steadyarm.planning.families import Family, Promises, settings_of
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.guarantees.frontier import Promise
from steadyarm.theory.guarantees.promises import guarantee
from steadyarm.theory.limit import Limit
from steadyarm.theory.reward_class import RewardClass
from steadyarm.theory.worst_cases import worst_cases

_EDGE_POINTS = 33
_EDGE_DECADES = 5.0
_PROMISED_POINTS = 24


@dataclass(frozen=True)
class TradeOff:
    """A policy, its predicted worst cases, and the means of the arms where the first two are."""

    policy: OwnHistoryPolicy
    regret: float
    instability: float
    relative_spread: float
    costliest_means: tuple[float, ...]
    unsteadiest_means: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return its numbers, the policy's settings first."""
        return {**settings_of(self.policy), "regret": self.regret, "instability": self.instability}


@dataclass(frozen=True)
class CurvePoint:
    """A setting of a family's knob: what is expected of the policy there, and what can be guaranteed."""

    setting: float
    regret: float
    instability: float
    guaranteed_regret: float | None
    guaranteed_instability: float | None


def trade_off(policy: OwnHistoryPolicy, reward_class: RewardClass) -> TradeOff:
    """Predict the worst cases of a policy over the class."""
    found = worst_cases(policy.curves, policy.n_arms, reward_class)
    return TradeOff(
        policy,
        found.regret.value,
        found.deviation.value,
        found.relative_deviation.value,
        found.regret.means,
        found.deviation.means,
    )


def curve(family: Family | Promises, around: float) -> tuple[CurvePoint, ...]:
    """Return the trade-offs along a family, from cheap to steady, with a setting somewhere among them.

    >>> from steadyarm.planning.families import Alphas
    >>> from steadyarm.theory.reward_class import class_of
    >>> points = curve(Alphas(2, 1000, class_of("gaussian")), around=100.0)
    >>> len(points), round(points[0].setting, 2), round(points[-1].setting)
    (33, 0.05, 500)
    """
    if isinstance(family, Promises):
        return _promised_curve(family)
    return tuple(_curve_point(family, setting) for setting in family.settings(around))


@lru_cache(maxsize=64)
def _promised_curve(family: Promises) -> tuple[CurvePoint, ...]:
    points = []
    for promise in family.promises[:: max(1, len(family.promises) // _PROMISED_POINTS)]:
        expected = trade_off(family.policy_of(promise), family.reward_class)
        points.append(
            CurvePoint(
                promise.instability,
                expected.regret,
                expected.instability,
                promise.regret,
                promise.instability,
            )
        )
    return tuple(points)


@lru_cache(maxsize=4096)
def _curve_point(family: Family, setting: float) -> CurvePoint:
    policy = family.policy(setting)
    expected = trade_off(policy, family.reward_class)
    if isinstance(policy, SLEUCB):
        worth = guarantee(policy, widest_gap=family.reward_class.widest_gap, quick=True)
        return CurvePoint(setting, expected.regret, expected.instability, worth.regret, worth.instability)
    promise = promise_of(expected.instability, family.n_arms, family.horizon, family.reward_class)
    lost, spread = (None, None) if promise is None else promise[:2]
    return CurvePoint(setting, expected.regret, expected.instability, lost, spread)


def promise_of(instability: float, n_arms: int, horizon: int, reward_class: RewardClass) -> Promise | None:
    """Return the cheapest of the promises at hand that no count spreads by more, if there is one.

    >>> from steadyarm.theory.reward_class import class_of
    >>> promise_of(1000.0, 2, 100_000, class_of("gaussian")).instability <= 1000.0
    True
    """
    promises = Promises(n_arms, horizon, reward_class).promises
    return next((each for each in promises if each.instability <= instability), None)


@dataclass(frozen=True)
class EdgePoint:
    """An instability, and the least regret that a policy of that instability has (Theorem 1′)."""

    regret: float
    instability: float


@lru_cache(maxsize=64)
def excluded_edge(limit: Limit) -> tuple[EdgePoint, ...]:
    """Return the edge of the region where no policy is, from the cheapest to the steadiest.

    >>> edge = excluded_edge(Limit(n_arms=2, horizon=10_000))
    >>> edge[0].regret < edge[-1].regret, edge[0].instability
    (True, 5000.0)
    """
    most = limit.horizon / 2.0
    spreads = np.geomspace(most, most / 10.0**_EDGE_DECADES, _EDGE_POINTS).tolist()
    return tuple(EdgePoint(limit.least_regret(spread), spread) for spread in spreads)
