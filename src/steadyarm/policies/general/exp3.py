"""Exp3: exponential weights on estimated rewards, against an adversary."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import exp, log
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.operations import fma
from steadyarm.policies.core.derived import DerivedParameter
from steadyarm.policies.rules.importance import WeighsByChance, choose_in_proportion, importance
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.side_by_side import Room, Runs, side_by_side

_LOWEST = -700.0  # the logarithm of a weight that no draw would find beside a weight of one


class Exp3Parameters(NamedTuple):
    """What the rule needs."""

    eta: float


@compiled
def fill_weights(state: Floats, weights: Floats) -> None:
    """Write the weights exp(state − largest state) of all arms, a row each, in all lanes."""
    n_arms, lanes = weights.shape
    top = np.full(lanes, -np.inf)
    for arm in range(n_arms):
        for lane in range(lanes):
            value = state[arm * lanes + lane]
            top[lane] = value if value > top[lane] else top[lane]
    for arm in range(n_arms):
        for lane in range(lanes):
            power = state[arm * lanes + lane] - top[lane]
            weight = exp(power if power > _LOWEST else _LOWEST)
            weights[arm, lane] = weight if power > _LOWEST else 0.0


def _choose(
    parameters: Exp3Parameters,
    noise: Noise,
    rank: Integers,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> int:
    weights, arms = np.empty((counts.size, 1)), np.empty(1, np.int64)
    fill_weights(state, weights)
    choose_in_proportion(weights, noise, state, arms)
    return int(arms[0])


def _choose_side_by_side(parameters: Exp3Parameters, noise: Noise, runs: Runs, room: Room) -> None:
    fill_weights(runs.state, room.values)
    choose_in_proportion(room.values, noise, runs.state, runs.leader)


def _update(
    parameters: Exp3Parameters,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    loss = (1.0 - reward) * importance(state, counts.size, arm)
    state[arm] = fma(-parameters.eta, loss, state[arm])


rule(Exp3Parameters, choose=_choose, update=_update)
side_by_side(Exp3Parameters, _choose_side_by_side)


@dataclass(frozen=True, kw_only=True)
class Exp3(DerivedParameter, WeighsByChance):
    """Play an arm with probability P proportional to exp(−η · its estimated loss so far).

    The estimated loss of a pull is (1 − reward)/P for the arm played and 0 for the others. It needs rewards
    between 0 and 1, and with the default η its regret is at most √(2TK·log K) against any of them.

    Attributes:
        eta: η, the learning rate; √(2·log K / (TK)) by default.

    >>> policy = Exp3(n_arms=2, horizon=1000)
    >>> play = policy.start(seed=1)
    >>> for _ in range(1000):
    ...     arm = play.ask()
    ...     play.tell(arm, float(arm == 1))
    >>> bool(play.counts[1] > 800)
    True
    """

    title: ClassVar[str] = "Exp3"
    source: ClassVar[str] = "Auer et al. 2002; Lattimore & Szepesvári, Algorithm 9 (read)"
    arm_nanoseconds: ClassVar[float] = 13.0
    derived: ClassVar[str] = "eta"

    eta: float = None  # type: ignore[assignment]  # None: √(2·log K / (TK))

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("eta", checks.real(self.eta, "eta", above=0.0, at_most=1e100))

    @property
    def derived_value(self) -> float:
        """Return η = √(2·log K / (TK))."""
        n_arms = float(self.n_arms)
        return math.sqrt(2.0 * log(n_arms) / (n_arms * float(self.horizon)))

    @property
    def parameters(self) -> Exp3Parameters:
        """The learning rate."""
        return Exp3Parameters(self.eta)
