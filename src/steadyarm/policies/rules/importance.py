"""Choosing in proportion to weights, and weighting a reward by the chance that its pull had.

The state of such a rule holds K numbers of its own, then for each arm the sum of 1/P over its outstanding
pulls, then how many these are. A reward is weighted by their mean, which for a reward that comes at once is
1/P itself; and as an arm's rewards are alike whichever pull they belong to, late ones are weighted right too.

Choices are made in many runs side by side, the *lanes*, or in one: number i of lane l is state[i·lanes + l].
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from steadyarm.model.table import uniform
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.rules.noise import Noise, words_of
from steadyarm.policies.rules.rule_policy import RulePolicy


@compiled
def choose_in_proportion(weights: Floats, noise: Noise, state: Floats, arms: Integers) -> None:
    """Draw an arm for each lane in proportion to its weights, a row for each arm, and take note of the chance it had.

    The first lane has the `noise`, and the others are the runs after its run.
    """
    n_arms, lanes = weights.shape
    uniforms, chances = np.empty(lanes), np.empty(lanes)
    for lane in range(lanes):
        words = words_of(Noise(noise.seed, noise.run + lane, noise.round), 0, 0)
        uniforms[lane] = uniform(words[0])
    draw(weights, uniforms, arms, chances)
    for lane in range(lanes):
        state[(n_arms + arms[lane]) * lanes + lane] += 1.0 / chances[lane]
        state[(2 * n_arms + arms[lane]) * lanes + lane] += 1.0


@compiled
def importance(state: Floats, n_arms: int, arm: int) -> float:
    """Return the weight 1/P of an arm's next reward, whose pull is then no longer outstanding."""
    weight: float = state[n_arms + arm] / state[2 * n_arms + arm]
    state[n_arms + arm] -= weight
    state[2 * n_arms + arm] -= 1.0
    return weight


@compiled
def draw(weights: Floats, uniforms: Floats, places: Integers, chances: Floats) -> None:
    """Write for each lane a place in proportion to its weight, and the probability it had; `uniforms` are in (0, 1)."""
    rows, lanes = weights.shape
    total, reached = np.zeros(lanes), np.zeros(lanes)
    for place in range(rows):
        for lane in range(lanes):
            total[lane] += weights[place, lane]
    for lane in range(lanes):
        places[lane] = 0
    for place in range(rows):
        for lane in range(lanes):
            weight = weights[place, lane]
            taken = (weight > 0.0) & (uniforms[lane] * total[lane] >= reached[lane])
            places[lane] = place if taken else places[lane]
            reached[lane] += weight
    for lane in range(lanes):
        chances[lane] = weights[places[lane], lane] / total[lane]


@dataclass(frozen=True, kw_only=True)
class WeighsByChance(RulePolicy):
    """A general policy that chooses in proportion to weights, for rewards between 0 and 1."""

    unit_rewards: ClassVar[bool] = True
    own_pulls_only: ClassVar[bool] = True  # a reward is weighted by the chance that its pull had
    pulls_each_arm_first: ClassVar[bool] = False

    @property
    def state_size(self) -> int:
        """A number of its own for each arm, and its outstanding pulls."""
        return 3 * self.n_arms
