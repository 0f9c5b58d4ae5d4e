"""Successive elimination: all arms in turn, less those that cannot be the best."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from steadyarm.numerics.arithmetic import log
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.derived import ConfidenceLevel
from steadyarm.policies.rules.choosing import fewest
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.rule_policy import RulePolicy

_DROPPED = 2.0**60  # beyond any horizon, so that a dropped arm never has the fewest turns


class SuccessiveEliminationParameters(NamedTuple):
    """What the rule needs."""

    root: float  # σ√(2·log(1/δ))


# The state holds how often each arm was chosen, so that outstanding pulls count in the turns, and then how
# many turns of the arms still in play are complete.


def _choose(
    parameters: SuccessiveEliminationParameters,
    noise: Noise,
    rank: Integers,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> int:
    arm = fewest(rank, state)
    state[arm] += 1.0
    return arm


def _update(
    parameters: SuccessiveEliminationParameters,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    n_arms = counts.size
    complete = _DROPPED
    for other in range(n_arms):
        if state[other] < _DROPPED:
            complete = min(complete, float(counts[other]))
    if complete <= state[n_arms]:
        return
    state[n_arms] = complete
    best_lower = -np.inf
    for other in range(n_arms):
        if state[other] < _DROPPED:
            n = float(counts[other])
            best_lower = max(best_lower, totals[other] / n - parameters.root / math.sqrt(n))
    for other in range(n_arms):
        n = float(counts[other])
        if state[other] < _DROPPED and totals[other] / n + parameters.root / math.sqrt(n) < best_lower:
            state[other] = _DROPPED


rule(SuccessiveEliminationParameters, choose=_choose, update=_update)


@dataclass(frozen=True, kw_only=True)
class SuccessiveElimination(ConfidenceLevel, RulePolicy):
    """Play the arms in turn; after each full turn drop those whose upper bound is below the best lower bound.

    The bounds are mean ± σ√(2·log(1/δ)/n).

    Attributes:
        delta: δ, the chance that a mean lies above (or below) its bound; 1/T² by default.

    >>> policy = SuccessiveElimination(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> arms = []
    >>> for reward in (0.0, 50.0, 50.0, 50.0):
    ...     arms.append(play.ask())
    ...     play.tell(arms[-1], reward)
    >>> arms
    [0, 1, 1, 1]
    """

    title: ClassVar[str] = "successive elimination"
    source: ClassVar[str] = "Even-Dar, Mannor & Mansour 2006 (from memory)"
    arm_nanoseconds: ClassVar[float] = 2.3
    pulls_each_arm_first: ClassVar[bool] = False

    @property
    def parameters(self) -> SuccessiveEliminationParameters:
        """The width of the bounds times √n."""
        return SuccessiveEliminationParameters(self.noise_scale * math.sqrt(-2.0 * log(self.delta)))

    @property
    def state_size(self) -> int:
        """The turns of each arm, and how many are complete."""
        return self.n_arms + 1
