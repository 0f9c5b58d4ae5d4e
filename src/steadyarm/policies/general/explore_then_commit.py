"""Explore then commit: every arm equally often, and then the best of them for good."""

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from steadyarm.model import checks
from steadyarm.numerics.arithmetic import log
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.derived import DerivedParameter
from steadyarm.policies.rules.choosing import fewest, larger_mean, leader
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.rule_policy import RulePolicy
from steadyarm.words import counted


class ExploreThenCommitParameters(NamedTuple):
    """What the rule needs."""

    exploration: int


# The state holds how often each arm was chosen, so that outstanding pulls count in the turns, and then the
# arm that was committed to, from 1; 0 before that.


def _choose(
    parameters: ExploreThenCommitParameters,
    noise: Noise,
    rank: Integers,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> int:
    n_arms = counts.size
    if state[n_arms] == 0.0:
        for other in range(n_arms):
            if counts[other] < parameters.exploration:
                arm = fewest(rank, state)
                state[arm] += 1.0
                return arm
        state[n_arms] = leader(rank, counts, totals) + 1.0
    return int(state[n_arms]) - 1


rule(ExploreThenCommitParameters, choose=_choose)


@dataclass(frozen=True, kw_only=True)
class ExploreThenCommit(DerivedParameter, RulePolicy):
    """Play all arms in turn, `exploration` times each, and then the one with the largest mean for good.

    Attributes:
        exploration: pulls of each arm before the choice. The default ⌈(T/K)^⅔·(log T)^⅓⌉, or ⌊T/K⌋ if that is
            less, needs no knowledge of the gaps and gives regret of order T^⅔·(K·log T)^⅓.

    >>> policy = ExploreThenCommit(n_arms=2, horizon=100, exploration=1)
    >>> play = policy.start(priority=[0, 1])
    >>> arms = []
    >>> for reward in (0.0, 1.0, -5.0, -5.0):
    ...     arms.append(play.ask())
    ...     play.tell(arms[-1], reward)
    >>> arms
    [0, 1, 1, 1]
    """

    title: ClassVar[str] = "explore then commit"
    source: ClassVar[str] = "Lattimore & Szepesvári, Chapter 6; default of Slivkins 2019 (from memory)"
    arm_nanoseconds: ClassVar[float] = 0.5
    pulls_each_arm_first: ClassVar[bool] = False
    derived: ClassVar[str] = "exploration"

    exploration: int = None  # type: ignore[assignment]  # None: ⌈(T/K)^⅔·(log T)^⅓⌉, at most ⌊T/K⌋

    def __post_init__(self) -> None:
        super().__post_init__()
        most = self.horizon // self.n_arms
        remedy = (
            f"{self.horizon} rounds are enough for {counted(most, 'pull')} of each of the {self.n_arms} arms."
        )
        self._set(
            "exploration",
            checks.integer(self.exploration, "exploration", at_least=1, at_most=most, remedy=remedy),
        )

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:
        """Return one where it is arm 0's turn, or where arm 0 was committed to: it then has more pulls."""
        if pulls == (self.exploration, self.exploration):
            return larger_mean(pulls)
        exploring = min(pulls) < self.exploration
        return np.full(
            (pulls[0] + 1, pulls[1] + 1), float(pulls[0] <= pulls[1] if exploring else pulls[0] > pulls[1])
        )

    @property
    def derived_value(self) -> int:
        """Return ⌈(T/K)^⅔·(log T)^⅓⌉, or ⌊T/K⌋ if that is less."""
        share = self.horizon / self.n_arms
        pulls = math.ceil(math.cbrt(share * share * log(float(self.horizon))))
        return min(pulls, self.horizon // self.n_arms)

    @property
    def parameters(self) -> ExploreThenCommitParameters:
        """The pulls of each arm before the choice."""
        return ExploreThenCommitParameters(self.exploration)

    @property
    def state_size(self) -> int:
        """The turns of each arm and the choice."""
        return self.n_arms + 1
