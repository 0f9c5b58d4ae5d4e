"""ε-greedy: the best mean so far, and now and then any arm."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.lanes import LED_AT_ONCE, lead
from steadyarm.policies.rules.choosing import fill_means, larger_mean, leader
from steadyarm.policies.rules.noise import Noise, fill_uniforms, uniform_at
from steadyarm.policies.rules.rule import rule
from steadyarm.policies.rules.rule_policy import RulePolicy
from steadyarm.policies.rules.side_by_side import Room, Runs, side_by_side


class EpsilonGreedyParameters(NamedTuple):
    """What the rule needs."""

    epsilon: float


def _choose(
    parameters: EpsilonGreedyParameters,
    noise: Noise,
    rank: Integers,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> int:
    if uniform_at(noise, 0) < parameters.epsilon:
        return int(uniform_at(noise, 1) * counts.size)
    return leader(rank, counts, totals)


def _choose_side_by_side(parameters: EpsilonGreedyParameters, noise: Noise, runs: Runs, room: Room) -> None:
    n_arms, lanes = runs.ranks.shape
    fill_means(runs.counts, runs.totals, room.values)
    for first in range(0, lanes, LED_AT_ONCE):
        lead(room.values, runs.ranks, runs.leader, first)
    uniforms = room.errors[0]
    fill_uniforms(noise, uniforms)
    for lane in range(lanes):
        if uniforms[lane] < parameters.epsilon:
            runs.leader[lane] = int(uniform_at(Noise(noise.seed, noise.run + lane, noise.round), 1) * n_arms)


rule(EpsilonGreedyParameters, choose=_choose)
side_by_side(EpsilonGreedyParameters, _choose_side_by_side)


@dataclass(frozen=True, kw_only=True)
class EpsilonGreedy(RulePolicy):
    """Play the arm with the largest mean, or with probability ε any arm, all equally likely.

    Attributes:
        epsilon: ε, the same in every round.

    >>> policy = EpsilonGreedy(n_arms=2, horizon=100, epsilon=0.0)
    >>> play = policy.start(priority=[0, 1])
    >>> for reward in (0.0, 1.0):
    ...     play.tell(play.ask(), reward)
    >>> play.ask()
    1
    """

    title: ClassVar[str] = "ε-greedy"
    source: ClassVar[str] = "Sutton & Barto, Section 2.2 (from memory)"
    arm_nanoseconds: ClassVar[float] = 1.5

    epsilon: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("epsilon", checks.real(self.epsilon, "epsilon", at_least=0.0, at_most=1.0))

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:
        """Return 1 − ε/2 where arm 0 has the larger mean, and ε/2 elsewhere."""
        if 0 in pulls:
            return super().two_armed_chances(pulls)
        return 0.5 * self.epsilon + (1.0 - self.epsilon) * larger_mean(pulls)

    @property
    def parameters(self) -> EpsilonGreedyParameters:
        """The share of random rounds."""
        return EpsilonGreedyParameters(self.epsilon)
