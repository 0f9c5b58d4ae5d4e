"""Choosing in proportion to weights, and weighting a reward by the chance that its pull had.

The state of such a rule holds K numbers of its own, then for each arm the sum of 1/P over its outstanding
pulls, then how many these are. A reward is weighted by their mean, which for a reward that comes at once is
1/P itself; and as an arm's rewards are alike whichever pull they belong to, late ones are weighted right too.
"""

from steadyarm.model.arrays import Floats
from steadyarm.model.compiled import compiled
from steadyarm.policies.rules.noise import Noise, uniform_at


@compiled
def choose_in_proportion(weights: Floats, noise: Noise, state: Floats) -> int:
    """Return an arm drawn in proportion to the weights, and take note of the chance it had."""
    arm, probability = draw(weights, uniform_at(noise, 0))
    state[weights.size + arm] += 1.0 / probability
    state[2 * weights.size + arm] += 1.0
    return arm


@compiled
def importance(state: Floats, n_arms: int, arm: int) -> float:
    """Return the weight 1/P of an arm's next reward, whose pull is then no longer outstanding."""
    weight: float = state[n_arms + arm] / state[2 * n_arms + arm]
    state[n_arms + arm] -= weight
    state[2 * n_arms + arm] -= 1.0
    return weight


@compiled
def draw(weights: Floats, u: float) -> tuple[int, float]:
    """Return a place in proportion to its weight, and the probability it had; u is uniform in (0, 1)."""
    total = 0.0
    for weight in weights:
        total += weight
    goal = u * total
    reached = 0.0
    last = 0
    for place in range(weights.size):
        if weights[place] > 0.0:
            last = place
            reached += weights[place]
            if goal < reached:
                break
    return last, weights[last] / total
