"""What is kept of an arm's rewards: enough for every interval, and the same bits in a play and in a simulation."""

from typing import NamedTuple

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.operations import fma


class Moments(NamedTuple):
    """Of each arm's rewards, in the order in which they came.

    Attributes:
        sums: Σx.
        squares: Σx².
        deviations: V = Σ(x − mean of the rewards before it)², from the second reward on.
    """

    sums: Floats
    squares: Floats
    deviations: Floats


@compiled
def with_reward(
    known: float, total: float, squares: float, deviations: float, reward: float
) -> tuple[float, float, float]:
    """Return the sum, the squares and the deviations of an arm of `known` rewards after one more.

    >>> with_reward(2.0, 1.0, 1.0, 1.0, 0.75)
    (1.75, 1.5625, 1.0625)
    """
    if known > 0.0:
        away = reward - total / known
        deviations = fma(away, away, deviations)
    return total + reward, fma(reward, reward, squares), deviations


@compiled
def take_rewards(
    arms: Integers, rewards: Floats, known: Integers, sums: Floats, squares: Floats, deviations: Floats
) -> None:
    """Take many rewards into the moments of their arms, one after the other; `known` counts those of each arm."""
    for place in range(arms.size):
        arm = arms[place]
        sums[arm], squares[arm], deviations[arm] = with_reward(
            float(known[arm]), sums[arm], squares[arm], deviations[arm], rewards[place]
        )
        known[arm] += 1
