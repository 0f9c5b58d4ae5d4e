"""An own-history index as a rule, for a kernel in which others pull arms too: then no arm is its own clock.

The parameters are the curves. The state holds the sum of each arm's clipped rewards, and then its envelope, or mean +
width where there is none.
"""

from dataclasses import dataclass
from typing import ClassVar

from steadyarm.model.arrays import Floats, Integers
from steadyarm.policies.core.curves import Curves, tilted, upper
from steadyarm.policies.core.noise import Noise
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.rule_policy import RulePolicy
from steadyarm.policies.core.rules import rule


def _index(
    parameters: Curves, noise: Noise, arm: int, counts: Integers, totals: Floats, state: Floats
) -> float:
    return float(tilted(parameters, state[counts.size + arm], float(counts[arm])))


def _update(
    parameters: Curves,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    value = counts.size + arm
    state[arm] += min(parameters.clip, max(-parameters.clip, reward))
    new = upper(parameters, state[arm], float(counts[arm]))
    state[value] = min(state[value], new) if parameters.envelope and counts[arm] > 1 else new


rule(Curves, index=_index, update=_update)


@dataclass(frozen=True, kw_only=True, init=False)
class CurveRule(RulePolicy):
    """An own-history policy that follows the rule above: the same choices, found by looking at every arm."""

    title: ClassVar[str] = "curves as a rule"
    source: ClassVar[str] = "that of the policy"
    arm_nanoseconds: ClassVar[float] = 12.0

    policy: OwnHistoryPolicy

    def __init__(self, policy: OwnHistoryPolicy) -> None:
        for name in ("n_arms", "horizon", "noise_scale", "title", "unit_rewards"):
            self._set(name, getattr(policy, name))
        self._set("policy", policy)

    @property
    def parameters(self) -> Curves:
        """The curves."""
        return self.policy.curves

    @property
    def state_size(self) -> int:
        """Two numbers an arm."""
        return 2 * self.n_arms
