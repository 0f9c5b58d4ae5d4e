"""Thompson sampling with Gaussian posteriors: play what a draw from the posterior says is best."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.operations import fma
from steadyarm.numerics.rough import ROUGH_ERROR
from steadyarm.policies.rules.glances import glance
from steadyarm.policies.rules.kept import KeepsMeans, keep_means
from steadyarm.policies.rules.noise import Noise, normal_at
from steadyarm.policies.rules.rule import rule

_ROUNDING = 2.0**-50  # a share of what is rounded, more than all roundings of an index together


class ThompsonParameters(NamedTuple):
    """What the rule needs, here and in the two steadier variants: see their files."""

    spread: float
    bonus: float = 0.0


def _index(
    parameters: ThompsonParameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    shift = fma(parameters.spread, normal_at(noise, arm), parameters.bonus)
    return fma(shift, state[counts.size + arm], state[arm])


def _glance(
    parameters: ThompsonParameters,
    normal: float,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> tuple[float, float]:
    spread, bonus, root = parameters.spread, parameters.bonus, state[counts.size + arm]
    value = fma(fma(spread, normal, bonus), root, state[arm])
    return value, fma(ROUGH_ERROR * spread + _ROUNDING * bonus, root, _ROUNDING * abs(value))


def _sample_chances(parameters: ThompsonParameters, pulls: tuple[int, int]) -> Floats:
    """Return the chance that the sample of arm 0 of two is the larger, by the successes of both arms."""
    centres = [np.arange(n + 1) / n + parameters.bonus / math.sqrt(n) for n in pulls]
    deviation = parameters.spread * math.sqrt(1.0 / pulls[0] + 1.0 / pulls[1])
    chances = np.subtract.outer(*centres) / deviation
    _to_probabilities(chances)
    return chances


@compiled
def _to_probabilities(values: Floats) -> None:
    """Replace z by Φ(z). No engine compares these numbers with others' bits, so libm may compute them."""
    for place in range(values.size):
        values.flat[place] = 0.5 * math.erfc(-values.flat[place] / math.sqrt(2.0))


rule(ThompsonParameters, index=_index, keep=keep_means)
glance(ThompsonParameters, _glance)


@dataclass(frozen=True, kw_only=True)
class SamplesMeans(KeepsMeans):
    """A policy that draws a normal sample for each arm, of the spread and the bonus that its parameters state."""

    arm_nanoseconds: ClassVar[float] = 8.5  # a fresh random number an arm a round

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:
        """Return the chance that the sample of arm 0 is the larger, by the successes of both arms."""
        return super().two_armed_chances(pulls) if 0 in pulls else _sample_chances(self.parameters, pulls)


@dataclass(frozen=True, kw_only=True)
class GaussianThompson(SamplesMeans):
    """Play the arm with the largest sample from N(mean, σ²/n), one fresh sample an arm a round.

    σ²/n is the variance of the sample, not its standard deviation.

    >>> policy = GaussianThompson(n_arms=2, horizon=100)
    >>> play = policy.start(seed=1)
    >>> for reward in (0.0, 50.0):
    ...     arm = play.ask()
    ...     play.tell(arm, reward)
    >>> play.ask() == arm
    True
    """

    title: ClassVar[str] = "Gaussian Thompson sampling"
    source: ClassVar[str] = "Thompson 1933; Lattimore & Szepesvári, Algorithm 24 (read)"

    @property
    def parameters(self) -> ThompsonParameters:
        """The standard deviation σ of √n times the sample."""
        return ThompsonParameters(self.noise_scale)
