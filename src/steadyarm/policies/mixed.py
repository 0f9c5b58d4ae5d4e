"""A policy with random rounds mixed in, so that the probability of every arm given is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats
from steadyarm.policies.core.follower import Follower, FollowingPlay
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.rules.mixing import Mixing, mixed_arm, share_in
from steadyarm.policies.rules.noise import Noise

_FASTEST = 0.99
_WHY = (
    "The share of round t is share·t^−decay. Weighted estimates settle only if it falls more slowly than 1/t: their "
    "squared errors are of the order T^(decay − 1)."
)


@dataclass(frozen=True, kw_only=True, init=False)
class Mixed(Follower):
    """Give a `share` of all rounds, drawn at random, to an arm drawn uniformly, and the others to a policy's choice.

    Every round is randomised: the arm given had probability share/K, and 1 − share more if it was the policy's choice.
    `play.probability` says which. With a `decay` the share falls with the round t: it is share·t^−decay. If the policy
    draws its choice, the probability is that given the draw, which serves as well: 1/probability is right on average
    whatever was drawn. The policy learns from every reward.

    >>> import steadyarm as sa
    >>> play = Mixed(sa.MOSS(n_arms=2, horizon=100), share=0.2).start(seed=1)
    >>> given = []
    >>> for _ in range(100):
    ...     arm = play.ask()
    ...     given.append(play.probability)
    ...     play.tell(arm, float(arm))
    >>> sorted(set(given))
    [0.1, 0.9]
    >>> falling = Mixed(sa.MOSS(n_arms=2, horizon=100), share=1.0, decay=0.5)
    >>> [round(falling.share_in(t), 3) for t in (1, 25, 100)]
    [1.0, 0.2, 0.1]
    """

    title: ClassVar[str] = "mixed"
    source: ClassVar[str] = "Liang & Bojinov 2023, the mixture adaptive design"

    share: float
    decay: float

    def __init__(self, policy: Policy, share: float, decay: float = 0.0) -> None:
        self._follow(policy, "some rounds of a mix are random. Mix another policy")
        self._set(
            "share",
            checks.real(
                share, "share", above=0.0, at_most=1.0, remedy="It is the share of rounds given at random."
            ),
        )
        self._set("decay", checks.real(decay, "decay", at_least=0.0, at_most=_FASTEST, remedy=_WHY))
        self._set("title", f"{policy.title} with {self._share} at random")

    @property
    def _share(self) -> str:
        """The share in words, as a function of the round t if it falls."""
        return f"{self.share:.3g}" + (f"·t^−{self.decay:.3g}" if self.decay else "")

    @property
    def mixing(self) -> Mixing:
        """The share and its decay, for the kernels."""
        return Mixing(self.share, self.decay)

    def share_in(self, number: int) -> float:
        """Return the probability that a round, counted from 1, is given at random."""
        return float(share_in(self.mixing, number))

    @property
    def least_share(self) -> float:
        """The share of the last round, than which none has less."""
        return self.share_in(self.horizon)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before relying on it."""
        rounds = "of every round t" if self.decay else "of all rounds"
        return (
            f"{self._share} {rounds} {'is' if self.decay else 'are'} given at random, whatever was learned. What is "
            f"proved of {self.policy.title} is about the policy without that.",
        )

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:
        """Return half the share, and what is left of the chance that the policy inside has."""
        share = self.share_in(sum(pulls) + 1)
        return 0.5 * share + (1.0 - share) * self.policy.two_armed_chances(pulls)

    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> MixedPlay:
        """Begin a play; see `Policy.start`."""
        return MixedPlay(self, seed, run, priority)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict from which `policy_from_dict` makes an equal record."""
        falling = {"decay": self.decay} if self.decay else {}
        return {"policy": "Mixed", "of": self.policy.to_dict(), "share": self.share} | falling


class MixedPlay(FollowingPlay):
    """A play that follows the play of the policy inside, except in random rounds."""

    policy: Mixed

    def _choose(self) -> int:
        share, n_arms = self.policy.share_in(self.round + 1), self.policy.n_arms
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
