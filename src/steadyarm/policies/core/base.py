"""What every policy is: a frozen record of parameters that can start a play.

`Policy` is the record, `Play` the state of one run of it. A policy whose index depends on each arm's own
history only is an `OwnHistoryPolicy`: it states its two curves and has nothing else to write.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from steadyarm.errors import HorizonReached, InvalidInput, InvalidType, NotSupported, PlayError, PolicyError
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.model.priority import check_priority, draw_priority
from steadyarm.policies.core.curves import Curves, check_curves, tilted, upper
from steadyarm.policies.core.tournament import Tournament

_NOISE = "It is the σ for which rewards are σ-sub-Gaussian: 1/2 for rewards in [0, 1]."
_LARGEST_REWARD = 1e200  # beyond it sums of rewards could overflow


@dataclass(frozen=True, kw_only=True)
class Policy(ABC):
    """A policy for `n_arms` arms and `horizon` rounds of rewards that are `noise_scale`-sub-Gaussian."""

    n_arms: int
    horizon: int
    noise_scale: float = 1.0

    title: ClassVar[str]
    """The name people use."""
    source: ClassVar[str]
    """Where the formula comes from, and how certain we are of it."""
    unit_rewards: ClassVar[bool] = False
    """Whether rewards must lie between 0 and 1."""

    def __post_init__(self) -> None:
        self._set("n_arms", checks.n_arms(self.n_arms))
        self._set("horizon", checks.horizon(self.horizon, self.n_arms))
        self._set(
            "noise_scale",
            checks.real(self.noise_scale, "noise_scale", above=0.0, at_most=1e100, remedy=_NOISE),
        )

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """The name in the registry."""
        return type(self).__name__

    @abstractmethod
    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> Play:
        """Begin a play. Ties go to the smallest `priority[i]`; without it the ranks are drawn from the seed.

        `start(seed=s, run=r)` draws the ranks that run r of `simulate(..., seed=s)` has.
        """

    def check_instance(self, instance: Instance, *, outside_class: bool = False) -> None:
        """Refuse an instance that this policy was not built for, with the arm and the reason."""
        checks.instance_of(instance, Instance, "instance")
        if self.unit_rewards and not (instance.low >= 0.0 and instance.high <= 1.0):
            raise NotSupported(
                f"{self.title} takes rewards between 0 and 1; these lie between {instance.low:g} and "
                f"{instance.high:g}. Use a Bernoulli instance or a bounded one with low=0 and high=1."
            )
        if instance.n_arms != self.n_arms:
            raise InvalidInput(
                f"the instance must have the policy's n_arms = {self.n_arms} arms; it has {instance.n_arms}."
            )
        if not outside_class:
            instance.check_class(getattr(self, "mean_bound", None), self.noise_scale)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict from which `policy_from_dict` makes an equal record."""
        return {"policy": self.name} | {field.name: getattr(self, field.name) for field in fields(self)}

    def replace(self, **changes: Any) -> Self:
        """Return a record with some parameters changed; what is derived from them follows."""
        parameters = self.to_dict() | changes
        del parameters["policy"]
        unknown = changes.keys() - {field.name for field in fields(self)}
        if unknown:
            raise InvalidInput(f"{self.name} has no parameter {', '.join(map(repr, sorted(unknown)))}.")
        return type(self)(**parameters)


class Play(ABC):
    """One run of a policy: `ask` which arm is next, `tell` what it gave.

    Asking again before telling is legal: pulls whose reward is still to come are *outstanding*.
    """

    def __init__(self, policy: Policy, seed: int, run: int, priority: Sequence[int] | None) -> None:
        self.policy = policy
        self.seed = checks.seed(seed)
        self.run = checks.run(run)
        self.priority = (
            draw_priority(policy.n_arms, self.seed, self.run)
            if priority is None
            else check_priority(priority, policy.n_arms)
        )
        self.round = 0
        """Rounds assigned so far."""
        self._assigned = [0] * policy.n_arms
        self._observed = [0] * policy.n_arms

    @abstractmethod
    def _choose(self) -> int:
        """Return the arm for the next round."""

    @abstractmethod
    def _assign(self, arm: int) -> None:
        """Take note that an arm was assigned one more pull."""

    @abstractmethod
    def _absorb(self, arm: int, reward: float) -> None:
        """Take in one more reward of an arm."""

    def ask(self) -> int:
        """Return the arm for the next round and count the pull."""
        if self.round == self.policy.horizon:
            raise HorizonReached(
                f"all {self.policy.horizon} rounds are assigned. Start a policy with a longer horizon."
            )
        arm = self._choose()
        if type(arm) is not int or not 0 <= arm < self.policy.n_arms:
            arm = self._checked_arm(arm)
        self.round += 1
        self._assigned[arm] += 1
        self._assign(arm)
        return arm

    def _checked_arm(self, arm: Any) -> int:
        """Return a choice as a whole number, or say that it is no arm."""
        try:
            return checks.integer(arm, "arm", at_least=0, at_most=self.policy.n_arms - 1)
        except InvalidInput:
            raise PolicyError(
                f"in round {self.round + 1:,} of run {self.run:,}, {self.policy.title!r} chose arm {arm!r}; arms are "
                f"numbered from 0 to {self.policy.n_arms - 1}. Let {type(self).__name__}._choose return one of them."
            ) from None

    def tell(self, arm: int, reward: float) -> None:
        """Report the reward of an outstanding pull of an arm. A refused report changes nothing."""
        arm = checks.integer(
            arm, "arm", at_least=0, at_most=self.policy.n_arms - 1, remedy="Arms are numbered from 0."
        )
        low, high = (0.0, 1.0) if self.policy.unit_rewards else (-_LARGEST_REWARD, _LARGEST_REWARD)
        remedy = (
            "Rescale the rewards."
            if self.policy.unit_rewards
            else "Leave the pull outstanding if it is lost."
        )
        reward = checks.real(reward, "reward", at_least=low, at_most=high, remedy=remedy)
        if self._observed[arm] == self._assigned[arm]:
            raise PlayError(
                f"arm {arm} has no outstanding pull: {self._assigned[arm]} assigned, "
                f"{self._observed[arm]} rewarded. Ask first."
            )
        self._observed[arm] += 1
        self._absorb(arm, reward)

    def __repr__(self) -> str:
        return f"<play of {self.policy!r}, round {self.round}, counts {self._assigned}>"

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Pulls of each arm so far, outstanding ones included."""
        return np.array(self._assigned, dtype=np.int64)

    @property
    def outstanding(self) -> npt.NDArray[np.int64]:
        """Pulls of each arm whose reward has not been told."""
        return self.counts - np.array(self._observed, dtype=np.int64)

    @property
    @abstractmethod
    def indices(self) -> npt.NDArray[np.float64]:
        """The index of each arm as it stands; infinite for an arm without a reward."""

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a plain dict of numbers and lists, fit for JSON."""
        return {
            "policy": self.policy.to_dict(),
            "seed": self.seed,
            "run": self.run,
            "priority": list(self.priority),
            "counts": list(self._assigned),
            "observed": list(self._observed),
        }

    def _load(self, state: dict[str, Any]) -> None:
        """Take counts from a saved state."""
        self._assigned = _whole_numbers(state, "counts", self.policy.n_arms)
        self._observed = _whole_numbers(state, "observed", self.policy.n_arms)
        self.round = sum(self._assigned)
        if self.round > self.policy.horizon or any(
            observed > assigned for observed, assigned in zip(self._observed, self._assigned, strict=True)
        ):
            raise InvalidInput(
                "a saved play must have counts that add up to at most the horizon, and no more rewards than "
                f"pulls; got counts {self._assigned} and observed {self._observed}."
            )


@dataclass(frozen=True, kw_only=True)
class OwnHistoryPolicy(Policy):
    """A policy whose index of an arm depends on that arm's own rewards and pull count only."""

    @property
    @abstractmethod
    def curves(self) -> Curves:
        """The numbers of the index."""

    def check_instance(self, instance: Instance, *, outside_class: bool = False) -> None:
        """Refuse an instance that this policy was not built for, and curves that are none."""
        super().check_instance(instance, outside_class=outside_class)
        check_curves(self.curves, self.title, self.unit_rewards)

    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> IndexPlay:
        """Begin a play; see `Policy.start`."""
        return IndexPlay(self, seed, run, priority)


class IndexPlay(Play):
    """A play of an own-history policy: the arm with the largest index, ties by priority.

    With outstanding pulls the index is envelope(rewards told) + tilt(pulls assigned); an arm without any
    reward comes first, the one with the fewest assigned pulls before the others, then by priority.
    """

    policy: OwnHistoryPolicy

    def __init__(
        self, policy: OwnHistoryPolicy, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None
    ) -> None:
        super().__init__(policy, seed, run, priority)
        self._curves = policy.curves
        check_curves(self._curves, policy.title, policy.unit_rewards)
        self._totals = [0.0] * policy.n_arms
        self._values = [math.inf] * policy.n_arms  # envelope, or mean + width where there is none
        self._order = Tournament([self._key(arm) for arm in range(policy.n_arms)])

    def _key(self, arm: int) -> tuple[float, int, int]:
        if self._observed[arm] == 0:
            return (-math.inf, self._assigned[arm], self.priority[arm])
        return (-self._index(arm), 0, self.priority[arm])

    def _index(self, arm: int) -> float:
        if self._observed[arm] == 0:
            return math.inf
        return float(tilted(self._curves, self._values[arm], float(self._assigned[arm])))

    def _choose(self) -> int:
        return self._order.winner

    def _assign(self, arm: int) -> None:
        self._order.update(arm, self._key(arm))

    def _absorb(self, arm: int, reward: float) -> None:
        clip = self._curves.clip
        self._totals[arm] += min(clip, max(-clip, reward))
        value = float(upper(self._curves, self._totals[arm], float(self._observed[arm])))
        self._values[arm] = min(self._values[arm], value) if self._curves.envelope else value
        self._order.update(arm, self._key(arm))

    @property
    def indices(self) -> npt.NDArray[np.float64]:
        """The index of each arm as it stands; infinite for an arm without a reward."""
        return np.array([self._index(arm) for arm in range(self.policy.n_arms)])

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a plain dict; `play_from_dict` goes on exactly where it was."""
        values = [
            value if observed else None for value, observed in zip(self._values, self._observed, strict=True)
        ]
        return super().to_dict() | {"totals": list(self._totals), "values": values}

    def _load(self, state: dict[str, Any]) -> None:
        super()._load(state)
        n_arms = self.policy.n_arms
        for name in ("totals", "values"):
            if not isinstance(state.get(name), list) or len(state[name]) != n_arms:
                raise InvalidInput(
                    f"a saved play must have {name!r} as a list of {n_arms}; got {state.get(name)!r}."
                )
        self._totals = [checks.real(total, "totals") for total in state["totals"]]
        self._values = [
            checks.real(value, "values") if observed else math.inf
            for value, observed in zip(state["values"], self._observed, strict=True)
        ]
        self._order = Tournament([self._key(arm) for arm in range(n_arms)])


def _whole_numbers(state: dict[str, Any], name: str, length: int) -> list[int]:
    values = state.get(name)
    if not isinstance(values, list):
        raise InvalidType(f"a saved play must have {name!r} as a list; got {values!r}.")
    if len(values) != length:
        raise InvalidInput(f"a saved play must have {length} {name!r}; got {len(values)}.")
    return [checks.integer(value, name, at_least=0) for value in values]
