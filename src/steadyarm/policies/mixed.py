"""A policy with random rounds mixed in, so that the probability of every arm given is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.arrays import Floats
from steadyarm.policies.core.following import Follower, FollowingPlay
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.rules.mixing import mixed_arm
from steadyarm.policies.rules.noise import Noise


@dataclass(frozen=True, kw_only=True, init=False)
class Mixed(Follower):
    """Give a `share` of all rounds, drawn at random, to an arm drawn uniformly, and the others to a policy's choice.

    Every round is randomised: the arm given had probability share/K, and 1 − share more if it was the policy's choice.
    `play.probability` says which. If the policy draws its choice, that is the probability given the draw, which serves
    as well: 1/probability is right on average whatever was drawn. The policy learns from every reward.

    >>> import steadyarm as sa
    >>> play = Mixed(sa.MOSS(n_arms=2, horizon=100), share=0.2).start(seed=1)
    >>> given = []
    >>> for _ in range(100):
    ...     arm = play.ask()
    ...     given.append(play.probability)
    ...     play.tell(arm, float(arm))
    >>> sorted(set(given))
    [0.1, 0.9]
    """

    title: ClassVar[str] = "mixed"
    source: ClassVar[str] = "Liang & Bojinov 2023, the mixture adaptive design, with a share that stays"

    share: float

    def __init__(self, policy: Policy, share: float) -> None:
        self._follow(policy, "of a mix some are not. Mix another policy")
        self._set(
            "share",
            checks.real(
                share, "share", above=0.0, at_most=1.0, remedy="It is the share of rounds given at random."
            ),
        )
        self._set("title", f"{policy.title} with {self.share:.3g} at random")

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before relying on it."""
        return (
            f"{self.share:.3g} of all rounds are given at random, whatever was learned. What is proved of "
            f"{self.policy.title} is about the policy without them.",
        )

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:
        """Return half the share, and what is left of the chance that the policy inside has."""
        return 0.5 * self.share + (1.0 - self.share) * self.policy.two_armed_chances(pulls)

    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> MixedPlay:
        """Begin a play; see `Policy.start`."""
        return MixedPlay(self, seed, run, priority)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict from which `policy_from_dict` makes an equal record."""
        return {"policy": "Mixed", "of": self.policy.to_dict(), "share": self.share}

    def replace(self, **changes: Any) -> Self:
        """Return a record with another policy or share, or with parameters of the policy changed."""
        policy, share = changes.pop("policy", self.policy), changes.pop("share", self.share)
        return type(self)(policy.replace(**changes) if changes else policy, share)


class MixedPlay(FollowingPlay):
    """A play that follows the play of the policy inside, except in random rounds."""

    policy: Mixed

    def _choose(self) -> int:
        share, n_arms = self.policy.share, self.policy.n_arms
        choice = self.inner._checked_choice()
        noise = Noise(np.uint64(self.seed), self.run, self.round + 1)
        if self._retired:
            open_arms = self._open_arms()
            n_arms = len(open_arms)
            arm = open_arms[int(mixed_arm(noise, share, n_arms, open_arms.index(choice)))]
        else:
            arm = int(mixed_arm(noise, share, n_arms, choice))
        self.probability = share / n_arms + (1.0 - share if arm == choice else 0.0)
        return arm

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a plain dict; `play_from_dict` goes on exactly where it was."""
        last = {} if self.probability is None else {"probability": self.probability}
        return super().to_dict() | last

    def _load(self, state: dict[str, Any]) -> None:
        super()._load(state)
        if (last := state.get("probability")) is not None:
            self.probability = checks.real(last, "probability", above=0.0, at_most=1.0)
        if not np.array_equal(self.inner.counts, self.counts):
            raise InvalidInput("a saved play of a mix must have the counts of the play inside it.")
