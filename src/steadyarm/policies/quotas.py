"""A policy whose arms have quotas: a least share of the rounds, a largest one, or both, kept in every prefix.

In round n an arm is *due* if its pulls so far are fewer than n times its floor, and *open* if they are fewer than n
times its cap. A due arm is given first, the one whose next pull has the earliest deadline before others; otherwise the
policy's choice if it is open, or the best open arm. Then for every n, whatever the policy chooses,

    n·floor − 1 < pulls < n·cap + 1, that is ⌊n·floor⌋ ≤ pulls ≤ ⌈n·cap⌉.

The right side is the rule itself. There is an open arm in every round, since the pulls add up to n − 1 and n times the
caps to n at least; and who is due is open. The left side is that of earliest deadlines first. The j-th pull of an arm
is due from round n on with j − 1 < n·floor, and its deadline is the first n with j ≤ n·floor. Let the first deadline
that is missed be d, and let r be the last round up to d that was not given to a due pull with a deadline up to d (0 if
there is none). No such pull was due in round r, so an arm with one later had r·floor pulls at least, and has at most
(d − r)·floor due pulls with a deadline up to d. All arms together have at most d − r of them, one for each round after
r; but those rounds and the missed pull need d − r + 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.policies.core.follower import Follower, FollowingPlay
from steadyarm.policies.core.policy import Policy

WHOLE = 10**6
"""Shares are counted in millionths, so that every comparison is one of whole numbers."""


@dataclass(frozen=True, kw_only=True, init=False)
class Quotas(Follower):
    """Follow a policy, but give each arm its floor, `at_least` a share of the rounds, and its cap, `at_most` one.

    In every prefix of n rounds ⌊n·floor⌋ ≤ pulls ≤ ⌈n·cap⌉, whatever the policy chooses. Equal floor and cap are a
    fixed share. Shares have six decimals at most. The policy learns from every reward.

    >>> import steadyarm as sa
    >>> policy = Quotas(sa.MOSS(n_arms=3, horizon=100), at_least=[0.2, 0, 0], at_most=[1, 1, 0.1])
    >>> play = policy.start(seed=1)
    >>> for _ in range(100):
    ...     play.tell(arm := play.ask(), float(arm))
    >>> play.counts
    array([20, 70, 10])
    """

    title: ClassVar[str] = "quotas"
    source: ClassVar[str] = "earliest deadline first, Liu & Layland 1973, on shares as in Baruah et al. 1996"

    at_least: tuple[float, ...]
    at_most: tuple[float, ...]

    def __init__(
        self, policy: Policy, at_least: Sequence[float] | None = None, at_most: Sequence[float] | None = None
    ) -> None:
        self._follow(policy, "quotas choose some. Take another policy")
        self._set("at_least", _shares(at_least, "at_least", policy.n_arms, 0.0))
        self._set("at_most", _shares(at_most, "at_most", policy.n_arms, 1.0))
        self._check()
        self._set("title", f"{policy.title} within quotas")

    def _check(self) -> None:
        for arm, (floor, cap) in enumerate(zip(self.at_least, self.at_most, strict=True)):
            if cap == 0.0:
                raise InvalidInput(f"at_most must be positive; arm {arm} has 0. Leave the arm out instead.")
            if floor > cap:
                raise InvalidInput(
                    f"at_least must not be more than at_most; arm {arm} has {floor:g} and {cap:g}. Raise the cap."
                )
        floors, caps = sum(millionths(self.at_least)), sum(millionths(self.at_most))
        if floors > WHOLE:
            raise InvalidInput(
                f"floors must add up to 1 at most; these come to {floors / WHOLE:.10g}. Lower some of them."
            )
        if caps < WHOLE:
            raise InvalidInput(
                f"caps must add up to 1 at least, or some rounds would have no arm; these come to {caps / WHOLE:g}. "
                "Raise some of them."
            )

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before relying on it."""
        return (
            "The arms have quotas, which decide rounds whatever was learned. What is proved of "
            f"{self.policy.title} is about the policy without them.",
        )

    def least_elsewhere(self, best: int) -> int:
        """Return how many rounds go to other arms than `best` at least, by floors and its cap, whatever is learned."""
        best = checks.integer(best, "best", at_least=0, at_most=self.n_arms - 1)
        floors, caps, rounds = millionths(self.at_least), millionths(self.at_most), self.horizon
        theirs = sum(floor * rounds // WHOLE for arm, floor in enumerate(floors) if arm != best)
        own = -(-caps[best] * rounds // WHOLE)
        return max(theirs, rounds - own)

    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> QuotaPlay:
        """Begin a play; see `Policy.start`."""
        return QuotaPlay(self, seed, run, priority)

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict from which `policy_from_dict` makes an equal record."""
        shares = {"at_least": list(self.at_least), "at_most": list(self.at_most)}
        return {"policy": "Quotas", "of": self.policy.to_dict()} | shares


class QuotaPlay(FollowingPlay):
    """A play that follows the play of the policy inside where quotas allow it."""

    policy: Quotas

    def __init__(self, policy: Quotas, seed: int, run: int, priority: Sequence[int] | None) -> None:
        super().__init__(policy, seed, run, priority)
        self._floors, self._caps = millionths(policy.at_least), millionths(policy.at_most)

    def _choose(self) -> int:
        turn, counts = self.round + 1, self._assigned
        choice = self.inner._checked_choice()
        due = due_arm(turn, counts, self._floors, self.priority, choice)
        if due is not None:
            return due
        if is_open(turn, counts[choice], self._caps[choice]):
            return choice
        open_arms = (arm for arm in self._open_arms() if is_open(turn, counts[arm], self._caps[arm]))
        return self.inner._best_of(open_arms)

    def _check_retirement(self, arm: int) -> None:
        left = sum(self._caps) - self._caps[arm]
        if left < WHOLE:
            raise InvalidInput(
                f"the caps of the arms that stay must add up to 1 at least, or some rounds would have no arm; without "
                f"this arm they come to {left / WHOLE:g}. Start another play with other quotas."
            )
        super()._check_retirement(arm)

    def _withdraw(self, arm: int) -> None:
        super()._withdraw(arm)
        self._caps[arm] = self._floors[arm] = 0

    def _load(self, state: dict[str, Any]) -> None:
        super()._load(state)
        for arm in self._retired:
            self._caps[arm] = self._floors[arm] = 0
        if (self.inner.retired, list(self.inner.counts)) != (self.retired, self._assigned):
            raise InvalidInput("a saved play within quotas must agree with the play inside it.")


def due_arm(
    turn: int, counts: Sequence[int], floors: Sequence[int], rank: Sequence[int], choice: int = -1
) -> int | None:
    """Return the due arm with the earliest deadline; of several the policy's choice, then by rank. None if none is.

    >>> due_arm(2, [1, 0, 0], [400_000, 300_000, 200_000], [2, 1, 0], choice=0)
    1
    """
    due = [arm for arm, floor in enumerate(floors) if counts[arm] * WHOLE < floor * turn]
    if not due:
        return None
    return min(due, key=lambda arm: (-(-(counts[arm] + 1) * WHOLE // floors[arm]), arm != choice, rank[arm]))


def is_open(turn: int, count: int, cap: int) -> bool:
    """Whether an arm may have one more pull in this round."""
    return count * WHOLE < cap * turn


def millionths(shares: Sequence[float]) -> list[int]:
    """Return shares in millionths.

    >>> millionths([0.2, 1.0])
    [200000, 1000000]
    """
    return [round(share * WHOLE) for share in shares]


def _shares(given: Any, name: str, n_arms: int, missing: float) -> tuple[float, ...]:
    shares = [missing] * n_arms if given is None else checks.reals(given, name)
    if len(shares) != n_arms:
        raise InvalidInput(f"{name} must have a share for each of {n_arms} arms; got {len(shares)}.")
    for share in shares:
        checks.real(share, name, at_least=0.0, at_most=1.0, remedy="It is a share of the rounds.")
        if not math.isclose(share * WHOLE, round(share * WHOLE), rel_tol=0.0, abs_tol=1e-6):
            raise InvalidInput(f"{name} must be a share of six decimals at most; got {share!r}. Round it.")
    return tuple(round(share, 6) for share in shares)
