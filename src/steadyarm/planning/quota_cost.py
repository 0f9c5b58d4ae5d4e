"""What quotas of arms cost, whatever is learned: rounds that cannot go to the best arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from steadyarm.model import checks
from steadyarm.policies.own_history.round_robin import RoundRobin
from steadyarm.policies.quotas import Quotas


@dataclass(frozen=True)
class QuotaCost:
    """What the quotas of a policy cost at least; which policy they are put on does not matter.

    >>> import steadyarm as sa
    >>> cost = QuotaCost(sa.Quotas(sa.MOSS(n_arms=2, horizon=1000), at_least=[0.2, 0]))
    >>> cost.elsewhere, cost.least_lost(best=1, gap=0.05)
    ((0, 200), 10.0)
    """

    policy: Quotas

    @property
    def elsewhere(self) -> tuple[int, ...]:
        """For each arm: how many rounds others get at least, if it is the best. A theorem: see `policies.quotas`."""
        return tuple(map(self.policy.least_elsewhere, range(self.policy.n_arms)))

    def least_lost(self, *, best: int, gap: float) -> float:
        """Return what is lost at least if all other arms are worse than `best` by `gap` or more."""
        gap = checks.real(gap, "gap", at_least=0.0, remedy="It is a difference of means.")
        return self.policy.least_elsewhere(best) * gap

    @property
    def words(self) -> str:
        """The most that quotas cost any arm, as a sentence."""
        most, rounds = max(self.elsewhere), self.policy.horizon
        if most == 0:
            return "Quotas alone send no round to any arm but the best."
        return (
            f"Quotas send at least {most:,} of {rounds:,} rounds elsewhere if arm {self.elsewhere.index(most)} is the "
            f"best, the most for any arm: {most:,} times the difference is lost at least, whatever is learned."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as a plain dict, fit for JSON."""
        shares = {"at_least": list(self.policy.at_least), "at_most": list(self.policy.at_most)}
        return shares | {"elsewhere": list(self.elsewhere), "words": self.words}


def quota_cost(
    n_arms: int, horizon: int, at_least: Sequence[float] | None, at_most: Sequence[float] | None
) -> QuotaCost | None:
    """Return what quotas of a plan cost, under any policy; None if it has none."""
    if at_least is None and at_most is None:
        return None
    return QuotaCost(Quotas(RoundRobin(n_arms=n_arms, horizon=horizon), at_least, at_most))
