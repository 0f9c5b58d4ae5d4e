"""Asymptotically optimal UCB: the bonus grows with the round just fast enough."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.numerics.arithmetic import log
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import inlined
from steadyarm.numerics.operations import fma
from steadyarm.policies.rules.kept import KeepsMeans, keep_means
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule


@inlined
def level(t: float) -> float:
    """Return log(1 + t·log² t), what the divergence may reach in round t."""
    log_t = log(t)
    return log(fma(t, log_t * log_t, 1.0))


class AsymptoticUCBParameters(NamedTuple):
    """What the rule needs."""

    scale: float  # 2σ²


def _index(
    parameters: AsymptoticUCBParameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    width = math.sqrt(parameters.scale * level(float(noise.round)))
    return fma(width, state[counts.size + arm], state[arm])


rule(AsymptoticUCBParameters, index=_index, keep=keep_means)


@dataclass(frozen=True, kw_only=True)
class AsymptoticUCB(KeepsMeans):
    """Play the arm with the largest mean + σ√(2·log(1 + t·log² t)/n) in round t.

    >>> policy = AsymptoticUCB(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "asymptotically optimal UCB"
    source: ClassVar[str] = "Lattimore & Szepesvári, Algorithm 6 (read)"
    arm_nanoseconds: ClassVar[float] = 0.7
    counts_and_totals_decide: ClassVar[bool] = True

    @property
    def parameters(self) -> AsymptoticUCBParameters:
        """The squared scale of the bonus."""
        return AsymptoticUCBParameters(2.0 * self.noise_scale**2)
