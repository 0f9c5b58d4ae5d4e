"""UCB-V: a bonus that follows the rewards' own variance."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.errors import NotSupported
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arithmetic import log
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.operations import fma
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.rule_policy import RulePolicy


class UCBVParameters(NamedTuple):
    """What the rule needs."""

    reward_range: float


def _index(
    parameters: UCBVParameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    n_arms, level = counts.size, log(float(noise.round - 1))
    mean, root, share = state[n_arms + arm], state[2 * n_arms + arm], state[3 * n_arms + arm]
    return fma(level, share, fma(math.sqrt(level), root, mean))


def _update(
    parameters: UCBVParameters,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    # Welford's update of the sum of squared deviations: no cancellation, never below zero.
    n = float(counts[arm])
    if n > 1.0:
        change = reward - (totals[arm] - reward) / (n - 1.0)
        state[arm] = fma(change * change, (n - 1.0) / n, state[arm])


def _keep(parameters: UCBVParameters, arm: int, counts: Integers, totals: Floats, state: Floats) -> None:
    n_arms, n = counts.size, float(counts[arm])
    state[n_arms + arm] = totals[arm] / n
    state[2 * n_arms + arm] = math.sqrt(2.0 * (state[arm] / n) / n)
    state[3 * n_arms + arm] = 3.0 * parameters.reward_range / n


rule(UCBVParameters, index=_index, update=_update, keep=_keep)


@dataclass(frozen=True, kw_only=True)
class UCBV(RulePolicy):
    """Play the arm with the largest mean + √(2V·log t / n) + 3b·log t / n, t the rounds played so far.

    V is the arm's empirical variance.

    Attributes:
        reward_range: b, the distance between the smallest and the largest possible reward.

    >>> policy = UCBV(n_arms=2, horizon=100)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "UCB-V"
    source: ClassVar[str] = "Audibert, Munos & Szepesvári 2009; published code (read)"
    arm_nanoseconds: ClassVar[float] = 0.8

    reward_range: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("reward_range", checks.real(self.reward_range, "reward_range", above=0.0, at_most=1e100))

    def check_instance(self, instance: Instance, *, outside_class: bool = False) -> None:
        """Refuse rewards that vary by more than `reward_range`, unless asked to run outside the class."""
        super().check_instance(instance, outside_class=outside_class)
        if not outside_class and instance.high - instance.low > self.reward_range:
            raise NotSupported(
                f"{self.title} takes rewards within a range of reward_range = {self.reward_range:g}; these "
                f"lie between {instance.low:g} and {instance.high:g}. Raise reward_range, use a Bernoulli or "
                "bounded instance, or pass outside_class=True to run without the guarantee."
            )

    @property
    def parameters(self) -> UCBVParameters:
        """The range b."""
        return UCBVParameters(self.reward_range)

    @property
    def state_size(self) -> int:
        """The sum of squared deviations of each arm's rewards from their mean."""
        return self.n_arms

    @property
    def kept_size(self) -> int:
        """The mean of each arm, √(2V/n) and 3b/n."""
        return 3 * self.n_arms
