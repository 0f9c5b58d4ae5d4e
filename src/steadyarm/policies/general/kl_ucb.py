"""KL-UCB: upper confidence bounds in the divergence of the rewards' own family."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.operations import fma
from steadyarm.policies.core.divergence import bernoulli_upper
from steadyarm.policies.general.asymptotic_ucb import level
from steadyarm.policies.rules.kept import KeepsMeans, keep_means
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule


class KLUCBParameters(NamedTuple):
    """What the rule needs."""

    scale: float  # 2σ²
    bernoulli: bool


def _index(
    parameters: KLUCBParameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    reach = level(float(noise.round))
    if parameters.bernoulli:
        return float(bernoulli_upper(state[arm], reach / float(counts[arm])))
    return fma(math.sqrt(parameters.scale * reach), state[counts.size + arm], state[arm])


rule(KLUCBParameters, index=_index, keep=keep_means)


@dataclass(frozen=True, kw_only=True)
class KLUCB(KeepsMeans):
    """Play the arm with the largest q such that n·d(mean, q) ≤ log(1 + t·log² t) in round t.

    Attributes:
        rewards: "gaussian" takes d(p, q) = (p − q)²/2σ², which makes it `AsymptoticUCB`; "bernoulli" takes
            the divergence of two coins and needs rewards between 0 and 1.

    >>> policy = KLUCB(n_arms=2, horizon=100, rewards="bernoulli")
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "KL-UCB"
    source: ClassVar[str] = "Garivier & Cappé 2011; Lattimore & Szepesvári, Theorem 10.6 (read)"
    arm_nanoseconds: ClassVar[float] = 0.7
    counts_and_totals_decide: ClassVar[bool] = True

    rewards: str = "gaussian"

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.one_of(self.rewards, "rewards", ("gaussian", "bernoulli"))
        self._set("unit_rewards", self.rewards == "bernoulli")

    @property
    def parameters(self) -> KLUCBParameters:
        """The Gaussian divergence's scale, and which divergence it is."""
        return KLUCBParameters(2.0 * self.noise_scale**2, self.rewards == "bernoulli")
