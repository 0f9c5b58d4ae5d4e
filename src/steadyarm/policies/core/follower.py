"""What policies share that follow another one, and decide some rounds themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar, Self

from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy


@dataclass(frozen=True, kw_only=True, init=False)
class Follower(Policy):
    """A policy that follows another one, which learns from every reward."""

    own_pulls_only: ClassVar[bool] = True

    policy: Policy

    def _follow(self, policy: Policy, why_not: str) -> None:
        """Take over what is said of the policy inside; one that must choose every pull itself is refused."""
        checks.instance_of(policy, Policy, "policy")
        if policy.own_pulls_only:
            raise NotSupported(f"{policy.title} learns only from pulls that it chose itself, and {why_not}.")
        for name in ("n_arms", "horizon", "noise_scale", "unit_rewards"):
            self._set(name, getattr(policy, name))
        self._set("policy", policy)

    @property
    def class_bound(self) -> float | None:
        """M of the policy inside."""
        return self.policy.class_bound

    def replace(self, **changes: Any) -> Self:
        """Return a record with other arguments, or with parameters of the policy inside changed."""
        own = {name: changes.pop(name, getattr(self, name)) for name in signature(type(self)).parameters}
        if changes:
            own["policy"] = own["policy"].replace(**changes)
        return type(self)(**own)

    def check_instance(self, instance: Instance, *, outside_class: bool = False) -> None:
        """Refuse an instance that the policy inside was not built for."""
        self.policy.check_instance(instance, outside_class=outside_class)


class FollowingPlay(Play):
    """A play that follows the play of the policy inside."""

    policy: Follower

    def __init__(self, policy: Follower, seed: int, run: int, priority: Sequence[int] | None) -> None:
        super().__init__(policy, seed, run, priority)
        self.inner = policy.policy.start(seed=seed, run=run, priority=self.priority)

    def _check_retirement(self, arm: int) -> None:
        self.inner._check_retirement(arm)

    def _withdraw(self, arm: int) -> None:
        self.inner.retire(arm)

    def _assign(self, arm: int) -> None:
        self.inner._give(arm)

    def _absorb(self, arm: int, reward: float) -> None:
        self.inner.tell(arm, reward)

    @property
    def takes_many(self) -> bool:
        """As the play inside does."""
        return self.inner.takes_many

    def _take_many(self, arms: Integers, rewards: Floats) -> None:
        self._note_many(arms, rewards)
        self.inner.tell_many(arms, rewards)

    @property
    def indices(self) -> Floats:
        """The indices of the policy inside."""
        return self.inner.indices

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a plain dict; `play_from_dict` goes on exactly where it was."""
        return super().to_dict() | {"inner": self.inner.to_dict()}

    def _load(self, state: dict[str, Any]) -> None:
        super()._load(state)
        inner = state.get("inner")
        if not isinstance(inner, dict):
            raise InvalidInput(
                f"a saved play of {self.policy.title!r} must have 'inner' as a dict; got {inner!r}."
            )
        self.inner._load(inner)
