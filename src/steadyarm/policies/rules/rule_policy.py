"""General policies: a rule and its parameters, played round by round."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import is_compiled
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.rules.binding import OVERWRITTEN, index_errors_explained, not_an_arm
from steadyarm.policies.rules.dispatch import (
    absorb_reward,
    absorb_rewards,
    choose_arm,
    fill_indices,
    fill_success_indices,
    keep_all,
    plain_kernels,
    specialise_kernels,
)
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.rule import has_index, rule_of

_KERNELS = [choose_arm, absorb_reward, absorb_rewards, fill_indices, keep_all]


@dataclass(frozen=True, kw_only=True)
class RulePolicy(Policy):
    """A policy that follows a rule; it states its parameters and has nothing else to write."""

    pulls_each_arm_first: ClassVar[bool] = True
    """Whether the first K rounds pull every arm once, in order of priority, before the rule is asked."""
    arm_nanoseconds: ClassVar[float] = 50.0
    """About what the compiled rule takes for one arm in one round; see `Engine.run_cost`."""

    counts_and_totals_decide: ClassVar[bool] = False
    """Whether the index follows from the round, the counts and the totals alone: nothing random, nothing remembered."""

    @property
    @abstractmethod
    def parameters(self) -> Any:
        """The NamedTuple of numbers that the rule works with."""

    @property
    def state_size(self) -> int:
        """How many numbers the rule remembers besides counts and totals."""
        return 0

    @property
    def kept_size(self) -> int:
        """How many more numbers its `keep` derives from them, behind the others in the state."""
        return 0

    @property
    def room(self) -> int:
        """The length of the state: what is remembered and what is kept."""
        return self.state_size + self.kept_size

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:
        """Return one where the index of arm 0 is the larger, if counts and totals decide, and in the first pulls."""
        if self.pulls_each_arm_first and 0 in pulls:
            return np.full((pulls[0] + 1, pulls[1] + 1), float(pulls[0] == 0))
        if not self.counts_and_totals_decide:
            return super().two_armed_chances(pulls)
        [fill] = specialise_kernels([fill_success_indices], self.parameters)
        noise, counts = Noise(np.uint64(0), 0, sum(pulls) + 1), np.array(pulls)
        values = [np.empty(n + 1) for n in pulls]
        for arm in range(2):
            fill(self.parameters, noise, arm, counts, np.zeros(self.kept_size), values[arm])
        return np.greater_equal.outer(*values).astype(float)

    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> RulePlay:
        """Begin a play; see `Policy.start`."""
        return RulePlay(self, seed, run, priority)


class RulePlay(Play):
    """A play of a general policy. The rule sees the rewards told so far and the number of the round."""

    policy: RulePolicy

    def __init__(
        self, policy: RulePolicy, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None
    ) -> None:
        super().__init__(policy, seed, run, priority)
        self._parameters = policy.parameters
        self._use(specialise_kernels(_KERNELS, self._parameters, or_plain=True))
        self._rank = np.array(self.priority, dtype=np.int64)
        self._first = [int(arm) for arm in np.argsort(self._rank)] if policy.pulls_each_arm_first else []
        self._seen = np.zeros(policy.n_arms, dtype=np.int64)
        self._totals = np.zeros(policy.n_arms)
        self._state = np.zeros(policy.room)

    def _use(self, kernels: list[Any]) -> None:
        self._choose_arm, self._take, self._take_all, self._fill, self._keep_all = kernels

    def in_plain_python(self) -> RulePlay:
        """Return this play with a user's rule as the plain Python that it is, where it could be compiled too."""
        self._use(plain_kernels(_KERNELS, self._parameters))
        return self

    def _noise(self, number: int) -> Noise:
        return Noise(np.uint64(self.seed), self.run, number)

    def _choose(self) -> int:
        if self._first:
            waiting = [arm for arm in self._first if self._observed[arm] == 0 and arm not in self._retired]
            if waiting:
                return min(waiting, key=lambda arm: (self._assigned[arm], self._rank[arm]))
        noise = self._noise(self.round + 1)
        before = self._seen.copy(), self._totals.copy()
        with index_errors_explained(self.policy):
            arm = self._choose_arm(self._parameters, noise, self._rank, self._seen, self._totals, self._state)
        if not (np.array_equal(self._seen, before[0]) and np.array_equal(self._totals, before[1])):
            raise not_an_arm(self.policy, rule_of(self._parameters), self.run, self.round + 1, OVERWRITTEN)
        if not 0 <= arm < self.policy.n_arms:
            raise not_an_arm(self.policy, rule_of(self._parameters), self.run, self.round + 1, arm)
        return int(arm)

    def _assign(self, arm: int) -> None:
        pass

    def _absorb(self, arm: int, reward: float) -> None:
        noise = self._noise(sum(self._observed))
        with index_errors_explained(self.policy):
            self._take(self._parameters, noise, arm, reward, self._seen, self._totals, self._state)

    @property
    def takes_many(self) -> bool:
        """One compiled loop takes them in, if the rule can be compiled."""
        return is_compiled(self._take_all)

    def _take_many(self, arms: Integers, rewards: Floats) -> None:
        self._note_many(arms, rewards)
        with index_errors_explained(self.policy):
            self._take_all(
                self._parameters, self._noise(0), arms, rewards, self._seen, self._totals, self._state
            )

    @property
    def indices(self) -> Floats:
        """The index of each arm in the coming round; infinite for an arm without a reward.

        A rule that chooses without an index has none: NaN.
        """
        values = np.full(self.policy.n_arms, np.nan)
        if has_index(self._parameters):
            noise = self._noise(self.round + 1)
            with index_errors_explained(self.policy):
                self._fill(self._parameters, noise, self._seen, self._totals, self._state, values)
            if self.policy.pulls_each_arm_first:
                values[self._seen == 0] = np.inf
        return values

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a plain dict; `play_from_dict` goes on exactly where it was."""
        return super().to_dict() | {
            "totals": self._totals.tolist(),
            "state": self._state[: self.policy.state_size].tolist(),
        }

    def _load(self, state: dict[str, Any]) -> None:
        super()._load(state)
        self._seen = np.array(self._observed, dtype=np.int64)
        for name, room in (("totals", self._totals), ("state", self._state[: self.policy.state_size])):
            values = checks.reals(state.get(name), name)
            if len(values) != len(room):
                raise InvalidInput(f"a saved play must have {len(room)} {name!r}; got {len(values)}.")
            room[:] = values
        self._keep_all(self._parameters, self._seen, self._totals, self._state)
