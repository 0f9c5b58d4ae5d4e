"""Anytime MOSS: MOSS with the rounds played so far in the place of the horizon."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.operations import fma
from steadyarm.policies.rules.kept import keep_means
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.rule_policy import RulePolicy


class AnytimeMOSSParameters(NamedTuple):
    """What the rule needs."""

    scale: float  # (1 + a)/2


def _index(
    parameters: AnytimeMOSSParameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    # The first number kept of an arm is log(Kn).
    level = max(0.0, log(float(noise.round - 1)) - state[arm])
    mean, root = state[counts.size + arm], state[2 * counts.size + arm]
    return fma(math.sqrt(parameters.scale * level), root, mean)


def _keep(
    parameters: AnytimeMOSSParameters, arm: int, counts: Integers, totals: Floats, state: Floats
) -> None:
    keep_means(parameters, arm, counts, totals, state)
    state[arm] = log(float(counts.size) * float(counts[arm]))


rule(AnytimeMOSSParameters, index=_index, keep=_keep)


@dataclass(frozen=True, kw_only=True)
class AnytimeMOSS(RulePolicy):
    """Play the arm with the largest mean + √(((1 + a)/2)·log⁺(t/(Kn))/n), t the rounds played so far.

    This is the published form, meant for rewards in [0, 1]; the bonus does not grow with the noise.

    Attributes:
        a: the published code's choice is 1.35.

    >>> policy = AnytimeMOSS(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "anytime MOSS"
    source: ClassVar[str] = "Degenne & Perchet 2016; published code (read)"
    arm_nanoseconds: ClassVar[float] = 1.3
    counts_and_totals_decide: ClassVar[bool] = True

    a: float = 1.35

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("a", checks.real(self.a, "a", above=-1.0, at_most=1e100))

    @property
    def kept_size(self) -> int:
        """Three numbers for each arm."""
        return 3 * self.n_arms

    @property
    def parameters(self) -> AnytimeMOSSParameters:
        """The squared scale of the bonus."""
        return AnytimeMOSSParameters(0.5 * (1.0 + self.a))
