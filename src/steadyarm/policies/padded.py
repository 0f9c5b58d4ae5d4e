"""The paper's padding reduction: a two-armed policy made from a K-armed one (Remark fixed_k_reduction)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from steadyarm.errors import NotSupported
from steadyarm.model import checks
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.rules.noise import Noise, normal_at, uniform_at

_DUMMY_PLACE = 2**31  # of the dummy rewards in the policy's own stream: no arm of the policy has it


@dataclass(frozen=True, kw_only=True, init=False)
class Padded(Policy):
    """Play two arms by a K-armed policy that believes in K − 2 more, with N(−M, σ²) rewards.

    When it asks for one of those, the real arms take turns from a random start, the real reward is
    discarded and a dummy reward supplied. Then R_B ≤ R_A and S_B ≤ S_A + ½.

    >>> from steadyarm.policies import SLEUCB
    >>> policy = Padded(SLEUCB(n_arms=5, horizon=100))
    >>> play = policy.start(seed=1)
    >>> for _ in range(100):
    ...     play.tell(play.ask(), 0.0)
    >>> play.counts.sum(), play.inner.counts.sum()
    (np.int64(100), np.int64(100))
    """

    title: ClassVar[str] = "padded"
    source: ClassVar[str] = "Wang, Ye & Zhong, Remark on the fixed-K reduction"
    own_pulls_only: ClassVar[bool] = True

    policy: Policy
    mean_bound: float

    def __init__(self, policy: Policy, mean_bound: float | None = None) -> None:
        checks.instance_of(policy, Policy, "policy")
        if policy.unit_rewards:
            raise NotSupported(
                f"{policy.title} takes rewards between 0 and 1, but dummy rewards are Gaussian."
            )
        bound = (policy.class_bound or 1.0) if mean_bound is None else mean_bound
        self._set("n_arms", 2)
        self._set("horizon", policy.horizon)
        self._set("noise_scale", policy.noise_scale)
        self._set("policy", policy)
        self._set("mean_bound", checks.real(bound, "mean_bound", above=0.0, remedy="Means lie in [-M, M]."))

    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> PaddedPlay:
        """Begin a play; `priority` is that of the padded policy's own K arms."""
        return PaddedPlay(self, seed, run, priority)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict that describes the padded policy."""
        return {"policy": "Padded", "padded": self.policy.to_dict(), "mean_bound": self.mean_bound}


class PaddedPlay(Play):
    """A play of the two real arms, led by the play of all K."""

    policy: Padded

    def __init__(self, policy: Padded, seed: int, run: int, priority: Sequence[int] | None) -> None:
        super().__init__(policy, seed, run, None)
        self.inner = policy.policy.start(seed=seed, run=run, priority=priority)
        self._turn = int(uniform_at(self._noise(0), _DUMMY_PLACE) < 0.5)
        self._requests: tuple[list[int], list[int]] = ([], [])  # for each real arm, the arms asked for
        self._request = -1

    def _noise(self, number: int) -> Noise:
        return Noise(np.uint64(self.seed), self.run, number)

    def _choose(self) -> int:
        self._request = self.inner.ask()
        if self._request < 2:
            return self._request
        self._turn = 1 - self._turn
        return self._turn

    def _assign(self, arm: int) -> None:
        self._requests[arm].append(self._request)

    def _absorb(self, arm: int, reward: float) -> None:
        request = self._requests[arm].pop(0)
        if request >= 2:
            noise = normal_at(self._noise(sum(self._observed)), _DUMMY_PLACE)
            reward = self.policy.noise_scale * noise - self.policy.mean_bound
        self.inner.tell(request, reward)

    @property
    def indices(self) -> npt.NDArray[np.float64]:
        """The indices of the two real arms in the padded policy's play."""
        return self.inner.indices[:2]
