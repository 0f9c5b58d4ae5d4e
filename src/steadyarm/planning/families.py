"""Families of policies along a knob, from the cheapest to the steadiest: what a plan chooses from."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.own_history.steady import Steady
from steadyarm.theory.guarantees.cheapest import cheapest_guarantee
from steadyarm.theory.guarantees.frontier import Promise, guaranteed_frontier
from steadyarm.theory.reward_class import RewardClass
from steadyarm.theory.worst_cases import worst_cases

_POINTS_PER_DECADE = 8
_HARDLY = 0.01  # α of next to no stabilizer
_AS_ASKED = 0.1  # how far a predicted spread may be beyond the one asked for


@dataclass(frozen=True)
class Family(ABC):
    """Policies for one class of rewards along a knob."""

    n_arms: int
    horizon: int
    reward_class: RewardClass

    knob: ClassVar[str]

    @abstractmethod
    def policy(self, setting: float) -> OwnHistoryPolicy:
        """Return the policy at a setting of the knob."""

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """The settings at the cheap and at the steady end."""

    @property
    @abstractmethod
    def usual(self) -> tuple[float, float]:
        """The settings between which a picture shows it, from cheap to steady."""

    def settings(self, around: float) -> list[float]:
        """Return settings from cheap to steady: the usual ones, and as many decades more as surround a given one."""
        cheap, steady = self.usual
        way = math.copysign(1.0, math.log(steady / cheap))
        before = max(0, math.ceil(way * math.log10(cheap / around)))
        after = max(0, math.ceil(way * math.log10(around / steady)))
        decades = abs(math.log10(steady / cheap)) + before + after
        first, last = cheap * 10.0 ** (-way * before), steady * 10.0 ** (way * after)
        points = round(_POINTS_PER_DECADE * decades) + 1
        return [float(setting) for setting in np.geomspace(first, last, points)]


@dataclass(frozen=True)
class Spreads(Family):
    """Steady along the spread that it aims at: to first order the best there is, and no guarantee.

    >>> from steadyarm.theory.reward_class import class_of
    >>> Spreads(2, 1000, class_of("bernoulli")).policy(20.0).spread
    20.0
    """

    knob = "spread"

    def policy(self, setting: float) -> Steady:
        """Return Steady with this spread."""
        noise_scale = self.reward_class.noise_scale
        return Steady(n_arms=self.n_arms, horizon=self.horizon, noise_scale=noise_scale, spread=setting)

    @property
    def ends(self) -> tuple[float, float]:
        """The widest spread that it keeps to first order, and next to nothing beside whole pulls."""
        return _widest_spread(self), 1e-3

    @property
    def usual(self) -> tuple[float, float]:
        """From the widest spread down by three decades."""
        return self.ends[0], 1e-3 * self.ends[0]

    def settings(self, around: float) -> list[float]:
        """Return those of the family, up to half the rounds: no count spreads by more."""
        every, most = super().settings(around), self.horizon / 2
        possible = [setting for setting in every if setting < most]
        return possible if len(possible) == len(every) else [most, *possible]


@lru_cache(maxsize=64)
def _widest_spread(family: Spreads) -> float:
    """Return up to where Steady is predicted to spread by no more than asked, and to lose less the wider that is."""
    fair = family.horizon / family.n_arms
    widest, least = 0.05 * fair, math.inf
    for share in np.geomspace(0.05, 1.0, 31).tolist():
        found = worst_cases(family.policy(share * fair).curves, family.n_arms, family.reward_class)
        beyond = found.deviation.value > (1.0 + _AS_ASKED) * share * fair + 1.0  # a pull of rounding
        if beyond or found.regret.value > least:
            break
        widest, least = share * fair, found.regret.value
    return widest


@dataclass(frozen=True)
class Alphas(Family):
    """SLE-UCB along α, with the guarantees that its constants have.

    >>> from steadyarm.theory.reward_class import class_of
    >>> Alphas(2, 1000, class_of("bernoulli")).policy(2.0).alpha
    2.0
    """

    constants: str = "sharp"

    knob = "alpha"

    def policy(self, setting: float) -> SLEUCB:
        """Return SLE-UCB with this α."""
        return _sle_ucb(self, alpha=setting, constants=self.constants)

    @property
    def ends(self) -> tuple[float, float]:
        """Hardly any stabilizer, and hardly anything else."""
        return 0.01, 1e4

    @property
    def usual(self) -> tuple[float, float]:
        """Three decades of α."""
        return 0.05, 50.0


@dataclass(frozen=True)
class Widths(Family):
    """SLE-UCB along β, with hardly any stabilizer: to first order every count spreads by 2σ/β of itself, or less.

    Where a count may spread by a share of itself, a width β/√n is the best there is, as the tilt of Steady is where
    every count may spread by so many pulls.

    >>> from steadyarm.theory.reward_class import class_of
    >>> Widths(2, 1000, class_of("bernoulli")).policy(10.0).beta
    10.0
    """

    knob = "beta"

    def policy(self, setting: float) -> SLEUCB:
        """Return SLE-UCB with this β."""
        return _sle_ucb(self, beta=setting, alpha=_HARDLY)

    @property
    def ends(self) -> tuple[float, float]:
        """As wide as the noise, and so wide that shares are equal."""
        return self.reward_class.noise_scale, 1e3 * self.reward_class.widest_gap * math.sqrt(self.horizon)

    @property
    def usual(self) -> tuple[float, float]:
        """Two decades of β."""
        return 2.0 * self.reward_class.noise_scale, 200.0 * self.reward_class.noise_scale


@dataclass(frozen=True)
class Promises:
    """SLE-UCB along what is guaranteed: the β and α with the least guaranteed regret for a spread, or the reverse.

    >>> from steadyarm.theory.reward_class import class_of
    >>> found = Promises(2, 100_000, class_of("gaussian")).cheapest(max_instability=1000.0)
    >>> found.guaranteed      # β is not that of the constants
    False
    """

    n_arms: int
    horizon: int
    reward_class: RewardClass

    knob = "spread"

    def cheapest(
        self, *, max_instability: float | None = None, max_regret: float | None = None
    ) -> SLEUCB | None:
        """Return the policy with the best guarantee for a limit on the spread or on the regret, if one has any."""
        rewards = self.reward_class
        return cheapest_guarantee(
            n_arms=self.n_arms,
            horizon=self.horizon,
            mean_bound=rewards.mean_bound,
            noise_scale=rewards.proof_scale,
            widest_gap=rewards.widest_gap,
            max_instability=max_instability,
            max_regret=max_regret,
        )

    @property
    def promises(self) -> tuple[Promise, ...]:
        """What can be guaranteed, by closed forms, from the cheapest to the steadiest."""
        rewards = self.reward_class
        return guaranteed_frontier(self.n_arms, self.horizon, rewards.widest_gap, rewards.proof_scale)

    def policy_of(self, promise: Promise) -> SLEUCB:
        """Return the policy behind a promise."""
        return _sle_ucb(self, alpha=promise.alpha, beta=promise.beta)


def _sle_ucb(size: Family | Promises, **settings: Any) -> SLEUCB:
    """Return SLE-UCB for the arms, the rounds and the class; sharp constants unless others are set."""
    return SLEUCB(
        n_arms=size.n_arms,
        horizon=size.horizon,
        mean_bound=size.reward_class.mean_bound,
        noise_scale=size.reward_class.proof_scale,
        **{"constants": "sharp", **settings},
    )


def size_of(family: Family | Promises) -> str:
    """Return how many arms and rounds the policies of a family are for."""
    return f"{family.n_arms} arms and {family.horizon:,} rounds"


def settings_of(policy: OwnHistoryPolicy) -> dict[str, float]:
    """Return what is set on a planned policy, by name.

    >>> settings_of(SLEUCB(n_arms=2, horizon=100, alpha=3.0))
    {'alpha': 3.0}
    """
    if isinstance(policy, SLEUCB):
        by_hand = {} if policy.guaranteed else {"beta": policy.beta}
        return {"alpha": policy.alpha, **by_hand}
    return {"spread": policy.spread} if isinstance(policy, Steady) else {}
