"""Thompson sampling with Beta posteriors, for rewards between 0 and 1."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.rules.noise import Noise, uniform_at
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.rule_policy import RulePolicy
from steadyarm.policies.rules.sampling import beta_at


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


@compiled
def _fill_chances(chances: Floats) -> None:
    """Write the chance that a sample of arm 0 is the larger, by the successes of both arms.

    Beta(1 + s, 1 + n − s) is the law of the (s + 1)-th smallest of n + 1 uniform numbers. So the sample of arm 0 is the
    larger one if at most s of the s + r + 1 smallest of all are its own: a hypergeometric distribution function.
    """
    own, others = chances.shape  # uniform numbers of each arm
    terms = np.empty(others)  # the chance that of the s + r + 1 smallest exactly s are its own
    term = 1.0
    for r in range(others):
        term = term * float(others - r) / float(own + others - r)
        terms[r] = term
    for s in range(own):
        for r in range(others):
            fewer = chances[s - 1, r + 1] if s > 0 and r + 1 < others else 0.0
            chances[s, r] = fewer + terms[r]
            grown = float((own - s) * (s + r + 2)) / float((s + 1) * (own + others - s - r - 1))
            terms[r] = terms[r] * grown


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
    arm_nanoseconds: ClassVar[float] = 130.0  # two Gamma numbers an arm a round
    unit_rewards: ClassVar[bool] = True
    pulls_each_arm_first: ClassVar[bool] = False

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:
        """Return the chance that the sample of arm 0 is the larger, by the successes of both arms."""
        chances = np.empty((pulls[0] + 1, pulls[1] + 1))
        _fill_chances(chances)
        return chances

    @property
    def parameters(self) -> BetaThompsonParameters:
        """The number of arms."""
        return BetaThompsonParameters(self.n_arms)

    @property
    def state_size(self) -> int:
        """The successes of each arm."""
        return self.n_arms
