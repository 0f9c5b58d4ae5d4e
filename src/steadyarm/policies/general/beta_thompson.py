"""Thompson sampling with Beta posteriors, for rewards between 0 and 1."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.model.arrays import Floats, Integers
from steadyarm.policies.core.noise import Noise, uniform_at
from steadyarm.policies.core.rule_policy import RulePolicy
from steadyarm.policies.core.rules import rule
from steadyarm.policies.core.sampling import beta_at


class BetaThompsonParameters(NamedTuple):
    """What the rule needs: nothing but the kind of the policy."""

    n_arms: int


def _index(
    parameters: BetaThompsonParameters,
    noise: Noise,
    arm: int,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> float:
    successes = state[arm]
    return float(beta_at(noise, arm, 1.0 + successes, 1.0 + (float(counts[arm]) - successes)))


def _update(
    parameters: BetaThompsonParameters,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    if uniform_at(noise, 2 * parameters.n_arms) < reward:  # a place that no arm's sample uses
        state[arm] += 1.0


rule(BetaThompsonParameters, index=_index, update=_update)


@dataclass(frozen=True, kw_only=True)
class BetaThompson(RulePolicy):
    """Play the arm with the largest sample from Beta(1 + successes, 1 + failures).

    A reward of 1 is a success and 0 a failure; one in between is a success with that probability.

    >>> policy = BetaThompson(n_arms=2, horizon=100)
    >>> play = policy.start(seed=1)
    >>> for _ in range(90):
    ...     arm = play.ask()
    ...     play.tell(arm, float(arm == 1))
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "Beta Thompson sampling"
    source: ClassVar[str] = "Thompson 1933; Agrawal & Goyal 2012 (from memory)"
    arm_nanoseconds: ClassVar[float] = 85.0  # a fresh random number an arm a round
    unit_rewards: ClassVar[bool] = True
    pulls_each_arm_first: ClassVar[bool] = False

    @property
    def parameters(self) -> BetaThompsonParameters:
        """The number of arms."""
        return BetaThompsonParameters(self.n_arms)

    @property
    def state_size(self) -> int:
        """The successes of each arm."""
        return self.n_arms
