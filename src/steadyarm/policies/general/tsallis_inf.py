"""Tsallis-INF: optimal against an adversary and in a stochastic world, without knowing which it is."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.rules.importance import WeighsByChance, choose_in_proportion, importance
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.side_by_side import Room, Runs, side_by_side

_MOST_STEPS = 100  # it takes about a dozen


class TsallisINFParameters(NamedTuple):
    """What the rule needs: nothing but the kind of the policy."""

    n_arms: int


@compiled
def fill_probabilities(losses: Floats, eta: float, weights: Floats) -> None:
    """Write the probabilities 4/(η·(loss − x))², with the x below all losses for which they add up to one.

    The weights have a row for each arm and a column for each lane, and the losses that order too, but may go on.
    Newton's method for z = η·(smallest loss − x)/2. The sum is convex and decreasing in z and at least 1 at
    z = 1, so the steps go up to the solution and never past it. A lane that has arrived stays where it is.
    """
    n_arms, lanes = weights.shape
    smallest, z = np.full(lanes, np.inf), np.ones(lanes)
    total, slope = np.empty(lanes), np.empty(lanes)
    for arm in range(n_arms):
        for lane in range(lanes):
            loss = losses[arm * lanes + lane]
            smallest[lane] = loss if loss < smallest[lane] else smallest[lane]
    for _ in range(_MOST_STEPS):
        for lane in range(lanes):
            total[lane], slope[lane] = 0.0, 0.0
        for arm in range(n_arms):
            for lane in range(lanes):
                root = 1.0 / (0.5 * eta * (losses[arm * lanes + lane] - smallest[lane]) + z[lane])
                weight = root * root
                weights[arm, lane] = weight
                total[lane] += weight
                slope[lane] += weight * root
        moved = 0
        for lane in range(lanes):
            step = 0.5 * (total[lane] - 1.0) / slope[lane]
            arrived = step <= 1e-15 * z[lane]
            z[lane] += 0.0 if arrived else step
            moved += 0 if arrived else 1
        if moved == 0:
            break


def _choose(
    parameters: TsallisINFParameters,
    noise: Noise,
    rank: Integers,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> int:
    weights, arms = np.empty((counts.size, 1)), np.empty(1, np.int64)
    fill_probabilities(state, 2.0 / math.sqrt(float(noise.round)), weights)
    choose_in_proportion(weights, noise, state, arms)
    return int(arms[0])


def _choose_side_by_side(parameters: TsallisINFParameters, noise: Noise, runs: Runs, room: Room) -> None:
    fill_probabilities(runs.state, 2.0 / math.sqrt(float(noise.round)), room.values)
    choose_in_proportion(room.values, noise, runs.state, runs.leader)


def _update(
    parameters: TsallisINFParameters,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    loss = (1.0 - reward) * importance(state, counts.size, arm)
    state[arm] += loss


rule(TsallisINFParameters, choose=_choose, update=_update)
side_by_side(TsallisINFParameters, _choose_side_by_side)


@dataclass(frozen=True, kw_only=True)
class TsallisINF(WeighsByChance):
    """Play an arm with probability P = 4/(η·(L − x))², L its estimated loss so far, η = 2/√t in round t.

    x is the number below all L for which the probabilities add up to one (the Tsallis entropy of power ½).
    The estimated loss of a pull is (1 − reward)/P for the arm played and 0 for the others. It needs rewards
    between 0 and 1.

    >>> policy = TsallisINF(n_arms=2, horizon=1000)
    >>> play = policy.start(seed=1)
    >>> for _ in range(1000):
    ...     arm = play.ask()
    ...     play.tell(arm, float(arm == 1))
    >>> bool(play.counts[1] > 900)
    True
    """

    title: ClassVar[str] = "Tsallis-INF"
    source: ClassVar[str] = "Zimmert & Seldin 2021, with importance weighting (from memory)"
    arm_nanoseconds: ClassVar[float] = 29.0

    @property
    def parameters(self) -> TsallisINFParameters:
        """The number of arms."""
        return TsallisINFParameters(self.n_arms)
