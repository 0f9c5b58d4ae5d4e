"""Ada-UCB: the confidence level of an arm adapts to how often the others were pulled."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.numerics.arithmetic import log
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.operations import fma
from steadyarm.policies.rules.kept import KeepsMeans, keep_means
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule


class AdaUCBParameters(NamedTuple):
    """What the rule needs."""

    horizon: float
    scale: float  # 2σ²


def _index(
    parameters: AdaUCBParameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    mean, root = state[counts.size + arm], state[2 * counts.size + arm]
    share = parameters.horizon * root / state[arm]
    return fma(math.sqrt(parameters.scale * log(max(1.0, share))), root, mean)


def _update(
    parameters: AdaUCBParameters,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    # state[i] is Σ_j min(√n_i, √n_j), so H_i = √n_i · state[i]. One more pull of an arm moves that sum for
    # the arms ahead of it only, all by the same step: O(K) a round where the formula has O(K²) terms. Arms
    # with as many pulls have the same sum: it is taken over, or rounding would decide between them.
    n = counts[arm]
    step = math.sqrt(float(n)) - math.sqrt(float(n - 1))
    ahead = 0.0
    equal = -1
    for other in range(counts.size):
        if counts[other] >= n:
            ahead += 1.0
            if other != arm:
                state[other] += step
                if counts[other] == n:
                    equal = other
    state[arm] = fma(ahead, step, state[arm]) if equal < 0 else state[equal]


rule(AdaUCBParameters, index=_index, update=_update, keep=keep_means)


@dataclass(frozen=True, kw_only=True)
class AdaUCB(KeepsMeans):
    """Play the arm with the largest mean + σ√((2/n)·log⁺(T/H)), H_i = Σ_j min(n_i, √(n_i·n_j)).

    >>> policy = AdaUCB(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "Ada-UCB"
    source: ClassVar[str] = "Lattimore 2018 (from memory)"
    arm_nanoseconds: ClassVar[float] = 4.5

    @property
    def parameters(self) -> AdaUCBParameters:
        """The horizon and the squared scale of the bonus."""
        return AdaUCBParameters(float(self.horizon), 2.0 * self.noise_scale**2)

    @property
    def state_size(self) -> int:
        """A sum over the other arms for each arm."""
        return self.n_arms
