"""What else could be run: the predicted worst cases of other policies over the same class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from steadyarm.policies import OwnHistoryPolicy, all_policies
from steadyarm.theory.prediction import predict
from steadyarm.theory.reward_class import RewardClass
from steadyarm.theory.worst_cases import worst_cases

ALTERNATIVES = ("MOSS", "UCB", "UCBf", "SafeUCB")


@dataclass(frozen=True)
class Alternative:
    """Another policy with its predicted worst cases; None where a flat width, like MOSS's, has no prediction."""

    policy: str
    title: str
    regret: float | None
    instability: float | None

    @property
    def trusted(self) -> bool:
        """Whether there is a prediction."""
        return self.regret is not None


@lru_cache(maxsize=64)
def alternatives(n_arms: int, horizon: int, reward_class: RewardClass) -> tuple[Alternative, ...]:
    """Return the alternatives to a plan.

    >>> from steadyarm.theory.reward_class import class_of
    >>> [each.title for each in alternatives(3, 10_000, class_of("gaussian")) if each.trusted]
    ['UCB', 'UCB-f', 'Safe UCB']
    """
    return tuple(_alternative(name, n_arms, horizon, reward_class) for name in ALTERNATIVES)


def _alternative(name: str, n_arms: int, horizon: int, reward_class: RewardClass) -> Alternative:
    policy = all_policies()[name](n_arms=n_arms, horizon=horizon, noise_scale=reward_class.noise_scale)
    assert isinstance(policy, OwnHistoryPolicy)
    worst = worst_cases(policy.curves, n_arms, reward_class)
    instances = (reward_class.instance(extreme.means) for extreme in (worst.regret, worst.deviation))
    if not all(np.isfinite(predict(policy, instance).instability) for instance in instances):
        return Alternative(name, policy.title, None, None)
    return Alternative(name, policy.title, worst.regret.value, worst.deviation.value)
