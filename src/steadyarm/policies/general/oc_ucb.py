"""OCUCB, optimally confident UCB: a confidence level that depends on the rounds left, not on the pulls."""

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


class OCUCBParameters(NamedTuple):
    """What the rule needs."""

    reach: float  # ψT
    scale: float  # σ²·constant


def _index(
    parameters: OCUCBParameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    width = math.sqrt(parameters.scale * log(parameters.reach / float(noise.round)))
    return fma(width, state[counts.size + arm], state[arm])


rule(OCUCBParameters, index=_index, keep=keep_means)


@dataclass(frozen=True, kw_only=True)
class OCUCB(KeepsMeans):
    """Play the arm with the largest mean + σ√((constant/n)·log(ψT/t)), t the coming round.

    Attributes:
        constant: the source proves its bound above 2.
        psi: ψ, at least 1, so that the logarithm never becomes negative; the source takes 2 or more.

    >>> policy = OCUCB(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "OCUCB"
    source: ClassVar[str] = "Lattimore 2015; published code (read)"
    arm_nanoseconds: ClassVar[float] = 0.7
    counts_and_totals_decide: ClassVar[bool] = True

    constant: float = 3.0
    psi: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("constant", checks.real(self.constant, "constant", above=0.0))
        self._set("psi", checks.real(self.psi, "psi", at_least=1.0, at_most=1e100))

    @property
    def parameters(self) -> OCUCBParameters:
        """The rounds in the logarithm and the squared scale of the bonus."""
        return OCUCBParameters(self.psi * self.horizon, self.noise_scale**2 * self.constant)
