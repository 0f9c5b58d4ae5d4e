"""What every policy is: a frozen record of parameters that can start a play."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats
from steadyarm.policies.core.fingerprints import is_ours

if TYPE_CHECKING:
    from steadyarm.policies.core.play import Play

_NOISE = "It is the σ for which rewards are σ-sub-Gaussian: 1/2 for rewards in [0, 1]."


class _NameOfItsClass:
    """The title of a policy that has none of its own."""

    def __get__(self, _policy: Policy | None, kind: type[Policy]) -> str:
        return kind.__name__


@dataclass(frozen=True, kw_only=True)
class Policy(ABC):
    """A policy for `n_arms` arms and `horizon` rounds of rewards that are `noise_scale`-sub-Gaussian."""

    n_arms: int
    horizon: int
    noise_scale: float = 1.0

    title: ClassVar[str] = _NameOfItsClass()  # type: ignore[assignment]  # a text, by way of the class
    """The name people use; that of the class unless given."""
    source: ClassVar[str]
    """Where the formula comes from, and how certain we are of it."""
    unit_rewards: ClassVar[bool] = False
    """Whether rewards must lie between 0 and 1."""
    for_theorems: ClassVar[bool] = False
    """Whether this library has theorems about it, for which rewards must be `noise_scale`-sub-Gaussian."""
    own_pulls_only: ClassVar[bool] = False
    """Whether it can learn only from pulls that it chose itself."""

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
        """The name of the class."""
        return type(self).__name__

    @classmethod
    def address(cls) -> str:
        """Return the name by which a saved record finds its class: MOSS, or my_module:MyPolicy for a user's own."""
        return cls.__name__ if is_ours(cls) else f"{cls.__module__}:{cls.__qualname__}"

    @property
    def class_bound(self) -> float | None:
        """M, if the policy is built for means in [−M, M], which is what a parameter `mean_bound` says; else None."""
        return getattr(self, "mean_bound", None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before relying on this policy; most have nothing of the kind."""
        return ()

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
            instance.check_class(self.class_bound, self.noise_scale, for_theorems=self.for_theorems)

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:  # noqa: ARG002
        """Return the chance that arm 0 of two is played next after so many 0/1 rewards of each arm.

        Entry (s, r) is for s successes of arm 0 and r of arm 1, in whatever order. A tie goes to arm 0; the other
        order of priority must be the mirror image. `exact` asks for them; most policies that keep more than counts
        and sums have none.
        """
        raise NotSupported(
            f"the choices of {self.title} are not known to follow from the pulls and successes of the arms alone."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict from which `policy_from_dict` makes an equal record."""
        return {"policy": self.address()} | {field.name: getattr(self, field.name) for field in fields(self)}

    def replace(self, **changes: Any) -> Self:
        """Return a record with some parameters changed; what is derived from them follows."""
        parameters = self.to_dict() | changes
        del parameters["policy"]
        unknown = changes.keys() - {field.name for field in fields(self)}
        if unknown:
            raise InvalidInput(f"{self.name} has no parameter {', '.join(map(repr, sorted(unknown)))}.")
        return type(self)(**parameters)
