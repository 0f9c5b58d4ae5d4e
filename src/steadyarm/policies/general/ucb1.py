"""UCB1: optimism with a bonus that grows with the logarithm of the round."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.operations import fma
from steadyarm.policies.rules.kept import KeepsMeans, keep_means
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule


class UCB1Parameters(NamedTuple):
    """What the rule needs."""

    scale: float  # σ²·constant


def _index(
    parameters: UCB1Parameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    width = math.sqrt(parameters.scale * log(float(noise.round - 1)))
    return fma(width, state[counts.size + arm], state[arm])


rule(UCB1Parameters, index=_index, keep=keep_means)


@dataclass(frozen=True, kw_only=True)
class UCB1(KeepsMeans):
    """Play the arm with the largest mean + σ√(constant · log t / n), t the rounds played so far.

    `constant = 2` is the usual form for unit noise. Auer's original √(2 log t / n) for rewards in [0, 1] is
    `constant = 8` with `noise_scale = 0.5`.

    >>> policy = UCB1(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "UCB1"
    source: ClassVar[str] = "Auer, Cesa-Bianchi & Fischer 2002 (read)"
    arm_nanoseconds: ClassVar[float] = 0.7
    counts_and_totals_decide: ClassVar[bool] = True

    constant: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("constant", checks.real(self.constant, "constant", above=0.0))

    @property
    def parameters(self) -> UCB1Parameters:
        """The squared scale of the bonus."""
        return UCB1Parameters(self.noise_scale**2 * self.constant)
